/** The request of a call: its intention, address and headers. */
import { createFinalURL, createQuerySerializer, mergeHeaders } from 'openapi-fetch'
import type { OperationInfo } from '../generated/operations.ts'
import { checkHeaders, checkToken, utf8Header } from '../transport/headers.ts'
import type { Intention } from '../transport/send.ts'
import { CALL_OPTIONS, type CallOptions, checkNames, positive, type Settings, timesOf } from './options.ts'
import type { Bytes } from './upload.ts'

/** The arguments of an operation. */
export interface OperationInput {
  /** The IDs in the path, by their names in the template. */
  readonly path?: Readonly<Record<string, string>>
  /** A member that is undefined is not sent. */
  readonly query?: object
  /** Sent as JSON. */
  readonly body?: object
  /** Sent unchanged. */
  readonly content?: Bytes
}

/** The properties of an operation that an intention needs. */
type Intended = Pick<OperationInfo, 'operationId' | 'status' | 'repeat' | 'answer'> & { readonly method: string }

/** The intention of a call; checks its options. */
export function intentionOf(
  { times, transferTimes, maxAttempts }: Settings,
  { operationId, method, status, repeat = 'again', answer }: Intended,
  options: CallOptions,
  isUpload = false,
): Intention {
  checkNames(options, CALL_OPTIONS)
  return {
    operationId,
    expected: answer ?? 'json',
    status,
    isWrite: method !== 'GET',
    repeat,
    handle: null,
    mayHaveHappened: false,
    signal: options.signal,
    ...timesOf(options, isUpload || answer === 'bytes' ? transferTimes : times),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? maxAttempts),
  }
}

const querySerializer = createQuerySerializer()

/** The address of a call. Throws a `TypeError` for IDs that would name another path. */
export const addressOf = (origin: string, template: string, { path = {}, query = {} }: OperationInput): string =>
  createFinalURL(template, { baseUrl: origin, params: { path, query: { ...query } }, querySerializer, pathSerializer })

function pathSerializer(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value)
    throw new TypeError(`${name} must be the ID as text, not ${value === '' ? 'empty' : JSON.stringify(value)}.`)
  })
}

/** The values of the headers that the client sets itself. */
export interface OwnHeaders {
  /** Null if the API has no subjects; undefined, if none was given, throws a `TypeError`. */
  readonly subject: string | null | undefined
  readonly accept?: string
  readonly idempotencyKey?: string | undefined
  readonly contentType?: string | undefined
  /** The seq to resume after; null for the beginning. */
  readonly lastEventId?: number | null
}

export function requestHeaders(
  settings: Settings,
  { headers = {}, requestId }: CallOptions,
  {
    subject,
    accept = 'application/json, application/problem+json',
    idempotencyKey,
    contentType,
    lastEventId,
  }: OwnHeaders,
): Headers {
  if (subject === undefined) throw new TypeError('subject is missing: pass it to createClient or use forSubject.')
  const own = {
    Accept: accept,
    Authorization: `Bearer ${settings.apiKey}`,
    'X-Service-Subject': subject && utf8Header(subject),
    'X-Request-Id': requestId === undefined ? undefined : checkToken('requestId', requestId),
    'Idempotency-Key': idempotencyKey,
    'Content-Type': contentType,
    'Last-Event-ID': lastEventId?.toString(),
  }
  return mergeHeaders(settings.headers, checkHeaders(headers), own)
}
