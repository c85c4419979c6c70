import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { KEY_CONFLICT } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { equalFingerprints } from '../domain/fingerprint.ts'
import type { Traceparent } from '../domain/trace-context.ts'
import type { ForgottenRequest, IdempotencyRecord } from '../store/idempotency.ts'
import type { Change } from './change.ts'

/** The key and the fingerprint of a request. */
export interface IdempotentRequest {
  readonly key: string
  readonly fingerprint: Uint8Array
  /** The scope of the key if it is not the subject; it is not a valid subject, so that keys never collide. */
  readonly scope?: string
  /** The caller's trace context; null if none. It is not part of the fingerprint. */
  readonly traceparent: Traceparent | null
}

/** The scope of the key: the subject (D-11), or the request's own scope. */
export const ownerOfKey = ({ appId, subject }: Tenant, { scope = subject }: IdempotentRequest): Tenant => ({
  appId,
  subject: scope,
})

/** The answer to an earlier equal request; a conflict if the request differed; 404 if its effect was erased. */
export const answerOfRecord = <Body>(
  record: IdempotencyRecord | ForgottenRequest,
  request: IdempotentRequest,
): Admitted<Body> | Refusal => {
  if (record.status === 404) return notFound('conversation')
  if (!equalFingerprints(record.fingerprint, request.fingerprint)) return KEY_CONFLICT
  // A record of the same operation contains that operation's answer type.
  return { kind: 'admitted', status: record.status, body: record.response as Body, replayed: true }
}

/** Whether the result is a new answer, and not a replayed one. */
export const isFresh = (result: unknown): result is Admitted<object> & { readonly status: 201 | 202 } =>
  typeof result === 'object' &&
  result !== null &&
  'kind' in result &&
  result.kind === 'admitted' &&
  'replayed' in result &&
  !result.replayed

/**
 * A change that takes effect once for a request: the answer is recorded with the change, and a repeat gets it (D-12). A
 * refusal leaves the key unused. Null if the conversation belongs to another subject.
 */
export const changeOnce = <Result>(
  tenant: Tenant,
  request: IdempotentRequest,
  change: Change<Result>,
): Change<Result | Admitted<never> | Refusal | null> => {
  const key = { owner: ownerOfKey(tenant, request), key: request.key }
  return {
    ...change,
    reads: { ...change.reads, record: key },
    decide: (open, found) => {
      if (open.row.subject !== tenant.subject) return null
      const record = found.records.find(key)
      if (record !== undefined) return answerOfRecord<never>(record, request)
      const result = change.decide(open, found)
      if (isFresh(result))
        found.records.add(key, { fingerprint: request.fingerprint, status: result.status, response: result.body })
      return result
    },
  }
}
