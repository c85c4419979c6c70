import type { OperationWork, RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Traceparent } from '../domain/trace-context.ts'
import type { LoadedWork, LockedConversation } from '../store/batch/load-conversations.ts'
import { loadWork, lockConversations } from '../store/batch/load-conversations.ts'
import { toRunWork } from '../store/batch/run-columns.ts'
import type { EventRow } from '../store/batch/tables.ts'
import { noRows, writeRows } from '../store/batch/write-rows.ts'
import type { Start } from '../store/claims.ts'
import { readStarts } from '../store/claims.ts'
import type { Tx } from '../store/db.ts'
import { findIdempotencyRecords } from '../store/idempotency.ts'
import { countPending, lockPendingLimits } from '../store/pending-runs.ts'
import { keepResources } from '../store/resources.ts'
import type { ConversationKey } from '../store/runs.ts'
import type { Asked, Change, Findings, WriterContext } from './change.ts'
import type { OpenConversation, Unfinished } from './conversation.ts'
import { openConversation } from './conversation.ts'
import { createPending } from './pending.ts'
import { createRecords } from './records.ts'
import { addRows } from './rows.ts'
import type { BatchStarts } from './starts.ts'

/** What one change has decided, or `missing`: the conversation does not exist, or another transaction has locked it. */
export type Outcome<Result> = { readonly result: Result } | 'missing'

/** A changed conversation, and its announcements for after the commit. */
export interface ChangedConversation {
  readonly open: OpenConversation
  readonly events: readonly EventRow[]
  readonly context: WriterContext
}

export interface PerformedBatch<Result> {
  /** In the order of the changes. */
  readonly outcomes: readonly Outcome<Result>[]
  readonly changed: readonly ChangedConversation[]
  /**
   * The number of callbacks to deliver; rejects if a write failed. The writes have been sent, and COMMIT may already
   * follow them.
   */
  readonly written: Promise<number>
}

export interface BatchOptions {
  /** Whether it waits for a conversation that another transaction has locked, or skips it. */
  readonly waits: boolean
  /**
   * The shard of the counters of unfinished runs that it updates. Concurrent batches with the same shard wait for each
   * other if they change the counter of the same application and device.
   */
  readonly shard: number
  /** Starts admitted runs; null if no run can start with its admission. */
  readonly starts: BatchStarts | null
}

/**
 * Executes several changes in one transaction: one round trip locks and reads, the rules decide one change after the
 * other, and one round trip writes. Locks are taken in one order: limits, conversations, attachments, keys, counters.
 */
export const performBatch = async <Result>(
  tx: Tx,
  asked: readonly Asked<Result>[],
  { waits, shard, starts }: BatchOptions,
): Promise<PerformedBatch<Result>> => {
  const [first] = asked
  if (first === undefined) throw new Error('a batch must have at least one change')
  const { clock } = first.context
  const changes = asked.map(({ change }) => change)
  const found = await read(tx, changes, { now: clock.now(), waits, workerIds: starts?.workerIds ?? [] })
  // The clock is read after locking, so that `now` is not earlier than anything written to these conversations.
  const now = clock.now()

  const contexts = new Map(asked.map(({ change, context }) => [keyOf(change.conversation), context]))
  const opened = new Map<string, Opened>()
  for (const row of found.rows) {
    const key = keyOf(row)
    const context = contexts.get(key) ?? first.context
    const unfinished = found.work.get(key) ?? null
    opened.set(key, { open: openConversation(row, unfinished, now, context.settings), context })
  }
  const outcomes = changes.map((change): Outcome<Result> => {
    const open = opened.get(keyOf(change.conversation))?.open
    return open === undefined ? 'missing' : { result: change.decide(open, found) }
  })
  starts?.start(
    [...opened.values()].map(({ open }) => open),
    found,
  )
  const rows = noRows()
  const changed = [...opened.values()].flatMap(({ open, context }) => {
    const before = rows.conversations.length
    const events = addRows(open, rows, shard)
    return rows.conversations.length === before ? [] : [{ open, events, context }]
  })
  rows.records.push(...found.records.added)
  const written = writeRows(tx, rows, now)
  // Prevents an unhandled rejection if it is not awaited; awaiting it still throws.
  written.catch(() => {})
  return { outcomes, changed, written }
}

interface Opened {
  readonly open: OpenConversation
  readonly context: WriterContext
}

interface Found extends Findings {
  readonly rows: readonly LockedConversation[]
  readonly work: ReadonlyMap<string, Unfinished>
  readonly starts: ReadonlyMap<string, Start>
}

/**
 * Sends all statements at once, without waiting for answers. Each read sees what was committed before the lock
 * statements ahead of it succeeded.
 */
const read = async (
  tx: Tx,
  changes: readonly Change<unknown>[],
  { now, waits, workerIds }: { readonly now: Date; readonly waits: boolean; readonly workerIds: readonly string[] },
): Promise<Found> => {
  const having = (has: (change: Change<unknown>) => boolean): ConversationKey[] => distinct(changes.filter(has))
  const exact = changes.flatMap(({ conversation: { appId }, exactFor }) =>
    exactFor === undefined ? [] : [{ appId, deviceId: exactFor }],
  )
  const whole = having(({ reads }) => reads.work !== undefined)
  const judges = !changes.some(({ reads }) => reads.work === 'undecided')
  const counted = having(({ reads }) => reads.pending === true)
  const keys = changes.flatMap(({ reads: { record } }) => record ?? [])
  const used = changes.flatMap(({ reads: { attachments } }) =>
    attachments === undefined
      ? []
      : attachments.resourceIds.map((resourceId) => ({ ...attachments.tenant, resourceId })),
  )

  const limits = exact.length === 0 ? null : lockPendingLimits(tx, exact)
  const locked = lockConversations(tx, distinct(changes), { now, waits })
  const work = whole.length === 0 ? NO_WORK : loadWork(tx, whole, judges)
  const counts = counted.length === 0 ? [] : countPending(tx, counted)
  const starts = workerIds.length === 0 || counted.length === 0 ? [] : readStarts(tx, counted, { now, workerIds })
  const records = keys.length === 0 ? [] : findIdempotencyRecords(tx, keys)
  const kept = used.length === 0 ? [] : keepResources(tx, used)
  await Promise.all([limits, locked, work, counts, starts, records, kept])

  return {
    rows: await locked,
    work: byConversation(whole, await work),
    pending: createPending(await counts),
    starts: new Map((await starts).map((start) => [start.conversationId, start])),
    records: createRecords(keys, await records),
    attachments: new Set(await kept),
  }
}

const NO_WORK: LoadedWork = { runs: [], operations: [] }

/** The conversations of the changes, each once, in the order of their IDs. */
const distinct = (changes: readonly Change<unknown>[]): ConversationKey[] =>
  [...new Map(changes.map(({ conversation }) => [keyOf(conversation), conversation]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, conversation]) => conversation)

/** Identifiers have no slash. */
export const keyOf = ({ appId, conversationId }: ConversationKey): string => `${appId}/${conversationId}`

const byConversation = (
  conversations: readonly ConversationKey[],
  { runs, operations }: LoadedWork,
): Map<string, Unfinished> => {
  const work = new Map(
    conversations.map((key) => [
      keyOf(key),
      { runs: [] as RunWork[], operations: [] as OperationWork[], traceparents: new Map<string, Traceparent>() },
    ]),
  )
  for (const { appId, conversationId, traceparent, ...run } of runs) {
    const unfinished = work.get(keyOf({ appId, conversationId }))
    unfinished?.runs.push(toRunWork(run))
    if (traceparent !== null) unfinished?.traceparents.set(run.runId, traceparent)
  }
  for (const operation of operations) work.get(keyOf(operation))?.operations.push(operation)
  return work
}
