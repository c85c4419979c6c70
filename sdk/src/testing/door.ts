import type { Refusal } from './outcome.ts'
import { refuse, refuseFaults } from './outcome.ts'

const SUBJECT = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/
const SUBJECT_CHARACTERS = 256

/** The subject that a request acts for, once its key and its subject are good (D-03, D-05). */
export const enter = (headers: Headers, apiKey: string | undefined): string | Refusal => {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token === undefined)
    return refuse('UNAUTHENTICATED', 'Send the API key as a bearer token in the Authorization header.')
  if (apiKey !== undefined && token !== apiKey)
    return refuse('UNAUTHENTICATED', 'The API key is not the one that the test gateway was created with.')
  const subject = headers.get('x-service-subject')
  if (subject === null) return refuseSubject('is required')
  if (subject.length > SUBJECT_CHARACTERS || !SUBJECT.test(subject))
    return refuseSubject(`must be 1 to ${SUBJECT_CHARACTERS} visible characters`)
  return subject
}

const refuseSubject = (message: string): Refusal => refuseFaults([{ pointer: 'X-Service-Subject', message }])

/** The caller's name for the request when it is usable, else a new one (D-10). */
export const requestIdOf = (headers: Headers, newId: (prefix: string) => string): string => {
  const given = headers.get('x-request-id')
  return given !== null && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId('req')
}
