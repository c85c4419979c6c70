import { isDeepStrictEqual } from 'node:util'
import { utf8Header } from '../utf8-header.ts'
import type { ClientContext } from './client-context.ts'
import { expectEqual, expectThat } from './expect.ts'
import type { WireRequest } from './wire-request.ts'

/** Fails unless the request carries the client's key and subject, once each. The message shows no key. */
export const expectCredentials = (
  request: WireRequest,
  { key, subject }: Pick<ClientContext, 'key' | 'subject'>,
): void => {
  const about = `of ${request.method} ${request.path}`
  const authorization = request.values('authorization')
  const shown = authorization.map((value) => value.replaceAll(key, '<the key>'))
  expectThat(
    isDeepStrictEqual(authorization, [`Bearer ${key}`]),
    `Authorization ${about} must be ["Bearer <the key>"], but is ${JSON.stringify(shown)}`,
  )
  expectEqual(`X-Service-Subject ${about}`, request.values('x-service-subject'), [utf8Header(subject)])
}
