import type { OperationWork, RunWork } from '@conversation-gateway/openapi/behaviour/conversation-work'
import type { Traceparent } from '../domain/trace-context.ts'
import type { LoadedWork, LockedConversation } from '../store/batch/load-conversations.ts'
import { loadWork, lockConversations } from '../store/batch/load-conversations.ts'
import { toRunWork } from '../store/batch/run-columns.ts'
import type { BatchRows, EventRow } from '../store/batch/tables.ts'
import { noRows, writeRows } from '../store/batch/write-rows.ts'
import type { Start } from '../store/claims.ts'
import { readStarts } from '../store/claims.ts'
import type { Tx } from '../store/db.ts'
import type { ForgottenRequest, IdempotencyRecord } from '../store/idempotency.ts'
import { findIdempotencyRecords } from '../store/idempotency.ts'
import { countPending, lockPendingLimits } from '../store/pending-runs.ts'
import { keepResources } from '../store/resources.ts'
import type { ConversationKey } from '../store/runs.ts'
import type { Asked, Change, Findings, WriterContext } from './change.ts'
import type { OpenConversation, Unfinished } from './conversation.ts'
import { openConversation } from './conversation.ts'
import { answerOfRecord, isFresh, ownerOfKey } from './idempotency.ts'
import { createPending } from './pending.ts'
import { addRows } from './rows.ts'
import type { UnitStarts } from './starts.ts'

/** The result of one change, or `missing`: the conversation does not exist, or is locked by somebody else. */
export type Outcome = { readonly result: unknown } | 'missing'

/** A conversation that a unit of work has changed, and what is to be told of it once that is committed. */
export interface ChangedConversation {
  readonly open: OpenConversation
  readonly events: readonly EventRow[]
  readonly context: WriterContext
}

export interface PerformedUnit {
  /** In the order of the changes. */
  readonly outcomes: readonly Outcome[]
  readonly changed: readonly ChangedConversation[]
  /** How many callbacks are to be delivered; rejects when the write failed. The write is under way, and COMMIT may follow it already. */
  readonly written: Promise<number>
}

export interface UnitOptions {
  /** Whether it waits for a conversation that somebody else has locked, or skips it. */
  readonly waits: boolean
  /** Which counters of unfinished runs it uses. */
  readonly shard: number
  /** Through which it starts what it admits; null where nothing can start with its admission. */
  readonly starts: UnitStarts | null
}

/**
 * Carries out several changes in one transaction: one round trip to lock and to read, the rules decide one change after the
 * other, one round trip to write. What it waits for, if for anything, it takes in one order: limits, conversations, keys, counters.
 */
export const performUnit = async (
  tx: Tx,
  asked: readonly Asked[],
  { waits, shard, starts }: UnitOptions,
): Promise<PerformedUnit> => {
  const [first] = asked
  if (first === undefined) throw new Error('a unit of work has something to do')
  const { clock } = first.context
  const found = await read(tx, asked, { now: clock.now(), waits, workerIds: starts?.workerIds ?? [] })
  // The clock is read after locking, so that this is not earlier than anything written to these conversations.
  const now = clock.now()

  const contexts = new Map(asked.map(({ change, context }) => [keyOf(change.conversation), context]))
  const opened = new Map<string, Opened>()
  for (const row of found.rows) {
    const key = keyOf(row)
    const context = contexts.get(key) ?? first.context
    const unfinished = found.work.get(key) ?? null
    opened.set(key, { open: openConversation(row, unfinished, now, context.settings), context })
  }
  const rows = noRows()
  const outcomes = asked.map(({ change }): Outcome => {
    const open = opened.get(keyOf(change.conversation))?.open
    if (open === undefined) return 'missing'
    return { result: change.keyed === undefined ? change.decide(open, found) : decideOnce(change, open, found, rows) }
  })
  starts?.start(
    [...opened.values()].map(({ open }) => open),
    found,
  )
  const changed = [...opened.values()].flatMap(({ open, context }) => {
    const before = rows.conversations.length
    const events = addRows(open, rows, shard)
    return rows.conversations.length === before ? [] : [{ open, events, context }]
  })
  const written = writeRows(tx, rows, now)
  // Prevents an unhandled rejection where nobody awaits it; those who do still get the error.
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
  readonly records: Map<string, IdempotencyRecord | ForgottenRequest>
}

/** Sends all statements that read at once: each sees what was committed before the lock statements ahead of it succeeded. */
const read = async (
  tx: Tx,
  asked: readonly Asked[],
  { now, waits, workerIds }: { readonly now: Date; readonly waits: boolean; readonly workerIds: readonly string[] },
): Promise<Found> => {
  const changes = asked.map(({ change }) => change)
  const having = (has: (change: Change<unknown>) => boolean): ConversationKey[] => distinct(changes.filter(has))
  const exact = changes.flatMap(({ conversation: { appId }, exactFor }) =>
    exactFor === undefined ? [] : [{ appId, deviceId: exactFor }],
  )
  const whole = having(({ reads }) => reads.work !== undefined)
  const judges = !changes.some(({ reads }) => reads.work === 'undecided')
  const counted = having(({ reads }) => reads.pending === true)
  const keys = changes.flatMap(({ keyed }) =>
    keyed === undefined ? [] : [{ owner: ownerOfKey(keyed.tenant, keyed.request), key: keyed.request.key }],
  )
  const attachments = changes.flatMap(({ reads: { attachments: asks } }) =>
    (asks?.resourceIds ?? []).map((resourceId) => ({ ...(asks?.tenant ?? NOBODY), resourceId })),
  )

  const [, rows, work, counts, starts, records, kept] = await Promise.all([
    exact.length === 0 ? undefined : lockPendingLimits(tx, exact),
    lockConversations(tx, distinct(changes), { now, waits }),
    whole.length === 0 ? NO_WORK : loadWork(tx, whole, judges),
    counted.length === 0 ? [] : countPending(tx, counted),
    workerIds.length === 0 || counted.length === 0 ? [] : readStarts(tx, counted, { now, workerIds }),
    keys.length === 0 ? [] : findIdempotencyRecords(tx, keys),
    attachments.length === 0 ? [] : keepResources(tx, attachments),
  ])
  return {
    rows,
    work: byConversation(whole, work),
    pending: createPending(counts),
    starts: new Map(starts.map((start) => [start.conversationId, start])),
    attachments: new Set(kept),
    records: new Map(
      keys.flatMap((key, place) => {
        const record = records[place]
        return record === undefined ? [] : [[recordKey(key.owner.appId, key.owner.subject, key.key), record] as const]
      }),
    ),
  }
}

const NO_WORK: LoadedWork = { runs: [], operations: [] }
const NOBODY = { appId: '', subject: '' }

/** In the order of their IDs. */
const distinct = (changes: readonly Change<unknown>[]): ConversationKey[] =>
  [...new Map(changes.map(({ conversation }) => [keyOf(conversation), conversation]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, conversation]) => conversation)

/** Identifiers have no slash. */
export const keyOf = ({ appId, conversationId }: ConversationKey): string => `${appId}/${conversationId}`

const recordKey = (...parts: readonly string[]): string => JSON.stringify(parts)

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

/** Answers a request as the equal one before it was answered; a new one is decided, and its answer recorded. */
const decideOnce = (
  { keyed, decide }: Change<unknown>,
  open: OpenConversation,
  found: Found,
  rows: BatchRows,
): unknown => {
  if (keyed === undefined || open.row.subject !== keyed.tenant.subject) return null
  const { tenant, request } = keyed
  const owner = ownerOfKey(tenant, request)
  const key = recordKey(owner.appId, owner.subject, request.key)
  const record = found.records.get(key)
  if (record !== undefined) return answerOfRecord(record, request)
  const result = decide(open, found)
  if (!isFresh(result)) return result
  found.records.set(key, { fingerprint: request.fingerprint, status: result.status, response: result.body })
  rows.records.push({
    app_id: owner.appId,
    subject: owner.subject,
    key: request.key,
    fingerprint: Buffer.from(request.fingerprint).toString('hex'),
    status: result.status,
    response: result.body,
  })
  return result
}
