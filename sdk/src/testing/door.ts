import type { Refusal } from '../../../openapi/src/behaviour/refusal.ts'
import { refuse } from '../../../openapi/src/behaviour/refusal.ts'
import { refuseFaults } from '../../../openapi/src/behaviour/requests/refused-requests.ts'
import { PARAMETERS } from '../generated/contract.ts'
import { faultsOf } from './schema-faults.ts'

const SUBJECT = PARAMETERS.ServiceSubject

/** The subject that a request acts for, once its key and its subject are good (D-03, D-05, D-54). */
export const enter = (headers: Headers, apiKey: string | undefined): string | Refusal => {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token === undefined)
    return refuse('UNAUTHENTICATED', 'Send the API key as a bearer token in the Authorization header.')
  if (apiKey !== undefined && token !== apiKey)
    return refuse('UNAUTHENTICATED', 'The API key is not the one that the test gateway was created with.')
  const given = headers.get(SUBJECT.name)
  if (given === null) return refuseSubject('is required')
  const subject = decodeUtf8(given)
  if (subject === null) return refuseSubject('must be UTF-8')
  const [fault] = faultsOf(SUBJECT.schema, subject)
  return fault === undefined ? subject : refuseSubject(fault.message)
}

/** The text of a header's bytes, which `Headers` shows as one character each. */
const decodeUtf8 = (header: string): string | null => {
  try {
    const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const refuseSubject = (message: string): Refusal => refuseFaults({ faults: [{ pointer: SUBJECT.name, message }] })

/** The caller's name for the request when it is usable, else a new one (D-10). */
export const requestIdOf = (headers: Headers, newId: (prefix: 'req') => string): string => {
  const given = headers.get('x-request-id')
  return given !== null && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req')
}
