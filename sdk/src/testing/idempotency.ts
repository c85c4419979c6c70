import { KEY_CONFLICT } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { IDEMPOTENCY_KEY_HEADER, LIMITS } from '../generated/limits.ts'
import { isObject } from '../is-object.ts'
import type { BearerOperationId } from './operations.ts'
import { type Outcome, rawJson } from './respond.ts'
import type { GatewayState } from './state.ts'

interface KeyedRequest {
  readonly operationId: BearerOperationId
  readonly subject: string
  readonly ids: unknown
  readonly header: { readonly [IDEMPOTENCY_KEY_HEADER]: string }
  readonly body: unknown
}

/**
 * Executes an intention once: the same key with the same content gets the original answer again, and with other content
 * 409. A refused intention does not use up its key (D-11, D-12).
 */
export const once = <Body>(
  state: GatewayState,
  { operationId, subject, ids, header, body }: KeyedRequest,
  execute: () => Outcome<Body>,
): Outcome<Body> => {
  const name = JSON.stringify([subject, header[IDEMPOTENCY_KEY_HEADER]])
  const fingerprint = canonicalJson([operationId, ids, body])
  const recorded = state.answers.get(name)
  const answeredAtMs = state.now().getTime()
  if (recorded !== undefined && answeredAtMs - recorded.answeredAtMs < LIMITS.idempotencyKeyMs)
    return recorded.fingerprint === fingerprint ? replay(recorded) : KEY_CONFLICT
  const outcome = execute()
  if (outcome.kind === 'answered')
    state.answers.set(name, { fingerprint, answeredAtMs, status: outcome.status, json: JSON.stringify(outcome.body) })
  return outcome
}

/** The response that repeats an earlier answer. */
export const replay = ({ status, json }: { readonly status: number; readonly json: string }) =>
  rawJson(status, json, { 'idempotency-replayed': 'true' })

/** JSON with sorted members, so that their order does not matter. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  )
