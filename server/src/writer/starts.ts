import type { ClaimedRun, Start } from '../store/claims.ts'
import type { Findings } from './change.ts'
import type { AdmittedRun, OpenConversation } from './conversation.ts'
import { findStartable, lastSeqOf } from './conversation.ts'
import { startRun } from './run-rules.ts'

/** Slots that are reserved for runs of a batch until its outcome is known. */
export interface SlotReservation {
  /** Their owner: a process, or the session of a remote worker. */
  readonly workerId: string
  /** `none`: the runs were not admitted; `unknown`: they may have been. */
  settle(runs: readonly ClaimedRun[], outcome: BatchOutcome): void
}

export type BatchOutcome = 'committed' | 'none' | 'unknown'

/**
 * The available slots for runs that can start with their admission: of this process, or of workers whose claims wait
 * here.
 */
export interface FreeSlots {
  /** The owners that may have free slots now. */
  workerIds(): readonly string[]
  /**
   * Reserves slots of one owner.
   * @param present The owners that serve the device, according to the database.
   * @returns Null if no owner has enough free slots, or if another run may wait for them.
   */
  reserve(deviceId: string, count: number, present: readonly string[]): SlotReservation | null
}

/** Combines several slot owners. The first one whose `reserve` succeeds reserves the slots. */
export const joinFreeSlots = (freeSlots: readonly FreeSlots[]): FreeSlots => ({
  workerIds: () => freeSlots.flatMap((each) => each.workerIds()),
  reserve: (deviceId, count, present) => {
    for (const each of freeSlots) {
      const reservation = each.reserve(deviceId, count, present)
      if (reservation !== null) return reservation
    }
    return null
  },
})

/** The runs that one batch starts with their admission. */
export interface BatchStarts {
  /** The candidates that could execute the runs. */
  readonly workerIds: readonly string[]
  /**
   * After all decisions: for each device, starts all admitted runs that are next in their conversations. Starts none of
   * them if one cannot start with its admission, if other runs may wait for the slots, if an application could exceed
   * its share, or if no owner has enough free slots. First releases the reservations of an earlier try of the batch.
   */
  start(conversations: readonly OpenConversation[], found: StartFindings): void
  /** After the batch: the started runs execute, or their slots are released. */
  end(outcome: BatchOutcome): void
}

interface StartFindings extends Pick<Findings, 'pending'> {
  /** By the IDs of conversations that had no unfinished work when they were locked. */
  readonly starts: ReadonlyMap<string, Start>
}

export const createBatchStarts = ({ workerIds, reserve }: FreeSlots): BatchStarts => {
  let started: { readonly reservation: SlotReservation; readonly runs: readonly ClaimedRun[] }[] = []
  const end = (outcome: BatchOutcome): void => {
    for (const { reservation, runs } of started) reservation.settle(runs, outcome)
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
        // All or none, because claims decide the fair order between waiting runs (D-58).
        if (first === undefined || startable.length < opened.length) continue
        if (pending.ofDevice(deviceId) > first.start.share) continue
        const reservation = reserve(deviceId, startable.length, first.start.workerIds)
        if (reservation === null) continue
        started.push({ reservation, runs: startable.map((found) => claim(found, reservation.workerId)) })
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
  // The data to execute was read for the version before a reset in this batch.
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
