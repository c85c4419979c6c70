import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Caller } from '../../src/gateway/access/authenticate.ts'
import { createAuthenticator } from '../../src/gateway/access/authenticate.ts'
import { createFailureLimit } from '../../src/gateway/access/limit-failures.ts'
import type { Queryable } from '../../src/store/db.ts'

/** Authenticates a key in a process with an empty cache. */
export const authenticate = async (db: Queryable, clock: Clock, key: string): Promise<Caller | Refusal> =>
  createAuthenticator(db, clock, createFailureLimit(clock)).authenticate(`Bearer ${key}`, { ip: '127.0.0.1' })
