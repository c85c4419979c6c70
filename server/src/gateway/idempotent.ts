import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { Db, Queryable, Tx } from '../store/db.ts'
import { DatabaseUnavailable, UniqueViolation } from '../store/db.ts'
import { findIdempotencyRecord, IDEMPOTENCY_KEY_CONSTRAINT, recordIdempotency } from '../store/idempotency.ts'
import type { Change } from '../writer/change.ts'
import type { IdempotentRequest } from '../writer/idempotency.ts'
import { answerOfRecord, changeOnce, isFresh, ownerOfKey } from '../writer/idempotency.ts'
import type { GatewayContext } from './context.ts'

/**
 * The recorded answer to an earlier equal request, a refusal if the key was used for a different request, or null if
 * the key is new (D-12). If the result has been erased, the answer is 404 (D-63).
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
 * Changes a conversation once for a request: the answer is recorded with the change, and an equal request gets it. A
 * refusal leaves the key unused. Null if the subject has no such conversation.
 */
export const writeOnce = async <Result>(
  context: GatewayContext,
  tenant: Tenant,
  request: IdempotentRequest,
  change: Change<Result>,
): Promise<Result | Admitted<never> | Refusal | null> => {
  try {
    return await context.writer.write(context, changeOnce(tenant, request, change))
  } catch (error) {
    return findAnswer<never>(context.db, tenant, request, error)
  }
}

/**
 * The answer of an earlier equal request, or of this one if it was committed and only the confirmation was lost. In all
 * other cases it rethrows the error; after a lost confirmation the outcome then stays unknown, because the commit may
 * still succeed.
 */
const findAnswer = async <Body>(
  db: Queryable,
  tenant: Tenant,
  request: IdempotentRequest,
  error: unknown,
): Promise<Admitted<Body> | Refusal> => {
  if (error instanceof UniqueViolation && error.constraint === IDEMPOTENCY_KEY_CONSTRAINT) {
    const replay = await findReplay<Body>(db, tenant, request)
    if (replay !== null) return replay
  }
  if (!(error instanceof DatabaseUnavailable) || error.outcome === 'none') throw error
  const replay = await findReplay<Body>(db, tenant, request).catch(() => null)
  if (replay === null) throw error
  return replay
}

/** Thrown in a transaction to roll it back. */
class RolledBack extends Error {
  override readonly message = 'the request is not executed'
}

type Fresh<Body> = Omit<Admitted<Body>, 'kind' | 'replayed'>

/**
 * Executes a request once: `execute` runs in a transaction together with the record of its answer, unless an equal
 * request has been answered. A refusal rolls the transaction back and leaves the key unused. Of concurrent equal
 * requests, one is executed and all get its answer.
 */
export const executeOnce = <Body>(
  db: Db,
  tenant: Tenant,
  request: IdempotentRequest,
  now: Date,
  execute: (tx: Tx) => Promise<Fresh<Body> | Refusal>,
): Promise<Admitted<Body> | Refusal> =>
  executeRecorded(db, tenant, request, async (tx) => {
    const replay = await findReplay<Body>(tx, tenant, request)
    if (replay !== null) return replay
    const outcome = await execute(tx)
    if ('kind' in outcome) return outcome
    const { status, body } = outcome
    if (status === 200) throw new Error('an idempotent operation must answer 201 or 202')
    const record = { fingerprint: request.fingerprint, status, response: body }
    await recordIdempotency(tx, ownerOfKey(tenant, request), request.key, record, now)
    return { kind: 'admitted', status, body, replayed: false }
  })

/**
 * Like `executeOnce`, for statements that read and write the idempotency record themselves. The transaction commits
 * only a fresh answer; a repeat or a refusal rolls it back (D-74).
 */
export const executeRecorded = async <Body, Other extends { readonly kind: string } = never>(
  db: Db,
  tenant: Tenant,
  request: IdempotentRequest,
  execute: (tx: Tx) => Promise<Admitted<Body> | Refusal | Other>,
): Promise<Admitted<Body> | Refusal | Other> => {
  let outcome: Admitted<Body> | Refusal | Other | undefined
  try {
    return await db.transaction(async (tx) => {
      outcome = await execute(tx)
      if (!isFresh(outcome)) throw new RolledBack()
      return outcome
    })
  } catch (error) {
    if (!(error instanceof RolledBack) || outcome === undefined) return findAnswer(db, tenant, request, error)
    // If an earlier equal request caused the refusal, its answer is the answer to both.
    if (outcome.kind === 'refused') return (await findReplay<Body>(db, tenant, request)) ?? outcome
    return outcome
  }
}
