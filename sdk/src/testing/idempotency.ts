import { refuse } from '../behaviour/refusal.ts'
import { OPERATIONS, type OperationInfo } from '../generated/operations.ts'
import type { Call } from './call.ts'
import { readJson, refuseBody } from './json-body.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import type { Shape, ShapeFault } from './shapes.ts'
import { isObject } from './shapes.ts'
import type { GatewayState } from './state.ts'
import type { BearerOperationId } from './tested-operation.ts'

/** An intention: the request's content, and the key under which it is carried out once. */
export interface Intention<Body> extends Omit<Call, 'body'> {
  readonly key: string
  readonly body: Body
}

const KEY = /^[\x21-\x7e]{1,128}$/

/** Reads an intention, or says why it is none: 415, or 400 with all that is wrong with its body and its key. */
export const readIntention = <Body>(call: Call, shape: Shape<Body>): Intention<Body> | Outcome<never> => {
  const json = readJson(call)
  if (json.kind === 'refused') return json
  const { value } = json
  const key = call.headers.get('idempotency-key')
  const faults: ShapeFault[] = [...json.faults]
  if (faults.length === 0) faults.push(...shape.faultsOf(value, ''))
  if (key === null || !KEY.test(key))
    faults.push({
      pointer: 'Idempotency-Key',
      message: key === null ? 'is required' : 'must be 1 to 128 visible ASCII characters without spaces',
    })
  return faults.length === 0 && key !== null && shape.accepts(value)
    ? { ...call, key, body: value }
    : refuseBody(faults)
}

/**
 * Carries an intention out once: the same key with the same content gets the original answer again, with other content
 * 409. A refused intention leaves its key unused (D-11, D-12).
 */
export const once = <Body>(
  state: GatewayState,
  { operationId, subject, ids, key, body }: Intention<unknown>,
  execute: () => Outcome<Body>,
): Outcome<Body> | RawAnswer => {
  const name = JSON.stringify([subject, key])
  const fingerprint = canonicalJson([operationId, ids, body])
  const recorded = state.answers.get(name)
  const answeredAtMs = state.now().getTime()
  if (recorded !== undefined && answeredAtMs - recorded.answeredAtMs < retentionMs(operationId)) {
    if (recorded.fingerprint !== fingerprint)
      return refuse(
        'IDEMPOTENCY_CONFLICT',
        'This Idempotency-Key was used for a different request; a new intention needs a new key.',
      )
    const headers = { 'content-type': 'application/json', 'idempotency-replayed': 'true' }
    return { kind: 'raw', status: recorded.status, content: recorded.json, headers }
  }
  const outcome = execute()
  if (outcome.kind === 'answered')
    state.answers.set(name, { fingerprint, answeredAtMs, status: outcome.status, json: JSON.stringify(outcome.body) })
  return outcome
}

/** How long an answer is kept for replays (D-12). */
const retentionMs = (operationId: BearerOperationId): number => {
  const operation: OperationInfo = OPERATIONS[operationId]
  return operation.key?.retentionMs ?? 0
}

/** JSON in which the order of members does not matter. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  )
