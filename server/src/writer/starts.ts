import type { ClaimedRun, Start } from '../store/claims.ts'
import type { Findings } from './change.ts'
import type { AdmittedRun, OpenConversation } from './conversation.ts'
import { findStartable, lastSeqOf } from './conversation.ts'
import { startRun } from './run-rules.ts'

/** Slots that are kept for runs of a batch, until its outcome is known. */
export interface KeptSlots {
  /** Whose they are: a process, or the session of a worker elsewhere. */
  readonly workerId: string
  /** `none`: the runs were not admitted; `unknown`: they may have been. */
  settle(runs: readonly ClaimedRun[], outcome: BatchOutcome): void
}

export type BatchOutcome = 'committed' | 'none' | 'unknown'

/** Slots at hand for runs that can start as they are admitted: of this process, or of workers whose claims wait here. */
export interface SlotKeeper {
  /** Who may have any free now. */
  workerIds(): readonly string[]
  /** Of one of those that the database says serve the device. Null where none has so many, or something may wait for them. */
  keep(deviceId: string, count: number, present: readonly string[]): KeptSlots | null
}

/** The slots of several; the first that can keeps them. */
export const joinKeepers = (keepers: readonly SlotKeeper[]): SlotKeeper => ({
  workerIds: () => keepers.flatMap((keeper) => keeper.workerIds()),
  keep: (deviceId, count, present) => {
    for (const keeper of keepers) {
      const kept = keeper.keep(deviceId, count, present)
      if (kept !== null) return kept
    }
    return null
  },
})

/** The runs that one batch starts in this process as it admits them. */
export interface BatchStarts {
  /** Who could execute what is started. */
  readonly workerIds: readonly string[]
  /** After all is decided: starts what was admitted and competes with nobody. Takes back what it started before the batch was begun again. */
  start(conversations: readonly OpenConversation[], found: StartFindings): void
  /** The batch is over: what it has started executes, or its slots are free. */
  end(outcome: BatchOutcome): void
}

interface StartFindings extends Pick<Findings, 'pending'> {
  /** By the IDs of their conversations, where nothing was unfinished when they were locked. */
  readonly starts: ReadonlyMap<string, Start>
}

export const createBatchStarts = ({ workerIds, keep }: SlotKeeper): BatchStarts => {
  let started: { readonly kept: KeptSlots; readonly runs: readonly ClaimedRun[] }[] = []
  const end = (outcome: BatchOutcome): void => {
    for (const { kept, runs } of started) kept.settle(runs, outcome)
    started = []
  }
  return {
    get workerIds() {
      return workerIds()
    },
    end,
    start: (conversations, { pending, starts }) => {
      end('none')
      const waiting = conversations.filter((open) => findStartable(open) !== undefined)
      for (const [deviceId, opened] of Map.groupBy(waiting, ({ row }) => row.deviceId)) {
        const startable = opened.flatMap((open) => findAdmission(open, starts) ?? [])
        const [first] = startable
        // All or none: which of those that wait a slot is due to is not decided here (D-58).
        if (first === undefined || startable.length < opened.length) continue
        if (pending.ofDevice(deviceId) > first.start.share) continue
        const kept = keep(deviceId, startable.length, first.start.workerIds)
        if (kept === null) continue
        started.push({ kept, runs: startable.map((found) => claim(found, kept.workerId)) })
      }
    },
  }
}

interface Startable {
  readonly open: OpenConversation
  readonly admission: AdmittedRun
  readonly start: Start
}

const findAdmission = (open: OpenConversation, starts: StartFindings['starts']): Startable | null => {
  const runId = findStartable(open)
  const admission = open.admitted.find(({ run }) => run.runId === runId)
  const start = starts.get(open.row.conversationId)
  // What is to be executed was read for the version before a reset of this batch.
  const isRead = admission?.bindingVersion === open.row.bindingVersion
  return admission === undefined || start === undefined || !isRead ? null : { open, admission, start }
}

const claim = ({ open, admission, start }: Startable, workerId: string): ClaimedRun => {
  const runUntil = startRun(open, admission, { workerId, maxRunSeconds: start.maxRunSeconds })
  const { row, traceparents } = open
  const { run, bindingVersion, input } = admission
  return {
    appId: row.appId,
    subject: row.subject,
    conversationId: row.conversationId,
    runId: run.runId,
    messageId: run.messageId,
    endpointId: row.endpointId,
    deviceId: row.deviceId,
    generation: run.generation,
    bindingVersion,
    position: run.position,
    lastSeq: lastSeqOf(open),
    runUntil,
    assistant: start.assistant,
    text: input.text,
    data: input.data,
    resourceIds: input.resourceIds.length === 0 ? null : input.resourceIds,
    traceparent: traceparents.get(run.runId) ?? null,
  }
}
