import { checkHeaders, checkToken, utf8Header } from '../transport/headers.ts'
import type { SendInit } from './call-specs.ts'
import type { CallOptions, Settings } from './options.ts'

/** Which of them an operation takes is the contract's; the types of each call demand the right ones. */
export function contractHeaders(
  subject: string | null | undefined,
  key: string | null,
  requestId: string | undefined,
): SendInit['params']['header'] {
  if (subject === undefined) throw new TypeError('subject is missing: pass it to createClient or use forSubject.')
  return {
    ...(subject !== null && { 'X-Service-Subject': utf8Header(subject) }),
    ...(key !== null && { 'Idempotency-Key': key }),
    ...(requestId !== undefined && { 'X-Request-Id': checkToken('requestId', requestId) }),
  } as SendInit['params']['header']
}

/** Those of the client and of the call, and the key that gives access. */
export const callHeaders = (settings: Settings, { headers = {} }: CallOptions): Record<string, string> => ({
  Accept: 'application/json, application/problem+json',
  ...settings.headers,
  ...checkHeaders(headers),
  Authorization: `Bearer ${settings.apiKey}`,
})
