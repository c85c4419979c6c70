import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { notFound } from '@conversation-gateway/openapi/behaviour/refusal'
import { KEY_CONFLICT } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { equalFingerprints } from '../domain/fingerprint.ts'
import type { Traceparent } from '../domain/trace-context.ts'
import type { ForgottenRequest, IdempotencyRecord } from '../store/idempotency.ts'
import type { Change } from './change.ts'

/** The key of an intention, and what the intention was. */
export interface IdempotentRequest {
  readonly key: string
  readonly fingerprint: Uint8Array
  /** Whose the key is where it is not the subject's; no subject's name, so that their keys never meet. */
  readonly scope?: string
  /** Where the caller's trace has come to; null where it has none. It is no part of the intention. */
  readonly traceparent: Traceparent | null
}

/** Whose the key is: that of the subject (D-11), or of the request's own scope. */
export const ownerOfKey = ({ appId, subject }: Tenant, { scope = subject }: IdempotentRequest): Tenant => ({
  appId,
  subject: scope,
})

/** What an equal request before it was answered is the answer, unless it was another one under the same key. */
export const answerOfRecord = <Body>(
  record: IdempotencyRecord | ForgottenRequest,
  request: IdempotentRequest,
): Admitted<Body> | Refusal => {
  if (record.status === 404) return notFound('conversation')
  if (!equalFingerprints(record.fingerprint, request.fingerprint)) return KEY_CONFLICT
  // What this module recorded for the same operation is that operation's answer.
  return { kind: 'admitted', status: record.status, body: record.response as Body, replayed: true }
}

/** Whether it is an answer that was given for the first time. */
export const isFresh = (result: unknown): result is Admitted<object> & { readonly status: 201 | 202 } =>
  typeof result === 'object' &&
  result !== null &&
  'kind' in result &&
  result.kind === 'admitted' &&
  'replayed' in result &&
  !result.replayed

/**
 * A change that takes effect once for a request: the answer is recorded with the change, and a repeat gets it (D-12). A refusal
 * leaves the key unused. Null where the conversation is another subject's.
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
