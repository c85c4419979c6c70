import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Db, Queryable, Tx } from '../store/db.ts'
import { DatabaseUnavailable, UniqueViolation } from '../store/db.ts'
import { findIdempotencyRecord, IDEMPOTENCY_KEY, recordIdempotency } from '../store/idempotency.ts'
import type { GatewayContext } from './context.ts'
import type { IdempotentRequest } from './intention.ts'
import { answerOfRecord, ownerOfKey } from './intention.ts'
import type { Change } from './writer/change.ts'

/**
 * The original answer to an intention, the refusal of a key used for another one, or null for a fresh key (D-12). What the
 * intention had made and was erased since is 404 (D-63).
 */
export const findReplay = async <Body>(
  db: Queryable,
  tenant: Tenant,
  request: IdempotentRequest,
): Promise<Admitted<Body> | Refusal | null> => {
  const record = await findIdempotencyRecord(db, ownerOfKey(tenant, request), request.key)
  return record === null ? null : answerOfRecord<Body>(record, request)
}

/**
 * The answer to an intention whose commit was not answered, where it is found to have been carried out. Otherwise that
 * stays unknown, and the error is thrown on: the commit may still be on its way.
 */
const findUnanswered = async <Body>(
  db: Queryable,
  tenant: Tenant,
  request: IdempotentRequest,
  error: unknown,
): Promise<Admitted<Body> | Refusal> => {
  if (!(error instanceof DatabaseUnavailable) || error.outcome === 'none') throw error
  const replay = await findReplay<Body>(db, tenant, request).catch(() => null)
  if (replay === null) throw error
  return replay
}

/**
 * Changes a conversation once for a request: the answer is recorded with the change, and an equal request gets it. A refusal
 * leaves the key unused. Null where the subject has no such conversation.
 */
export const writeOnce = async <Result>(
  context: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  change: Change<Result>,
): Promise<Result | Admitted<never> | Refusal | null> => {
  try {
    return await context.writer.write(context, { ...change, keyed: { tenant, request } })
  } catch (error) {
    return findAnswer<never>(context.db, tenant, request, error)
  }
}

/** The answer of an equal request that came first, or of this one where only the word of it was lost; else the error. */
const findAnswer = async <Body>(
  db: Queryable,
  tenant: Tenant,
  request: IdempotentRequest,
  error: unknown,
): Promise<Admitted<Body> | Refusal> => {
  if (error instanceof UniqueViolation && error.constraint === IDEMPOTENCY_KEY) {
    const replay = await findReplay<Body>(db, tenant, request)
    if (replay !== null) return replay
  }
  return findUnanswered(db, tenant, request, error)
}

/** Carries a refusal out of a transaction, so that nothing of it remains. */
class RolledBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

type Fresh<Body> = Omit<Admitted<Body>, 'kind' | 'replayed'>

/**
 * Executes an intention once: `execute` runs in a transaction together with the record of its answer. A refusal rolls
 * all of it back and leaves the key unused. Of simultaneous equal requests one executes and all get its answer.
 */
export const executeOnce = <Body>(
  db: Db,
  tenant: Tenant,
  request: IdempotentRequest,
  now: Date,
  execute: (tx: Tx) => Promise<Fresh<Body> | Admitted<Body> | Refusal>,
): Promise<Admitted<Body> | Refusal> =>
  executeRecorded(db, tenant, request, async (tx) => {
    const outcome = await execute(tx)
    if ('kind' in outcome) return outcome
    const { status, body } = outcome
    if (status === 200) throw new Error('an idempotent operation answers 201 or 202')
    const record = { fingerprint: request.fingerprint, status, response: body }
    await recordIdempotency(tx, ownerOfKey(tenant, request), request.key, record, now)
    return outcome
  })

/** Like `executeOnce`, for statements that write the idempotency record themselves. */
export const executeRecorded = async <Body>(
  db: Db,
  tenant: Tenant,
  request: IdempotentRequest,
  execute: (tx: Tx) => Promise<Fresh<Body> | Admitted<Body> | Refusal>,
): Promise<Admitted<Body> | Refusal> => {
  try {
    const outcome = await db.transaction(async (tx) => {
      const result = await execute(tx)
      if ('kind' in result && result.kind === 'refused') throw new RolledBack(result)
      return result
    })
    return 'kind' in outcome ? outcome : { kind: 'admitted', ...outcome, replayed: false }
  } catch (error) {
    // An equal request that came first may be what stood in the way: its answer is the answer to both.
    if (error instanceof RolledBack) return (await findReplay<Body>(db, tenant, request)) ?? error.refusal
    return findAnswer(db, tenant, request, error)
  }
}
