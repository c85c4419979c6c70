import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Caller } from '../../src/gateway/access/authenticate.ts'
import { createAuthenticator } from '../../src/gateway/access/authenticate.ts'
import { createStrangerLimit } from '../../src/gateway/access/limit-strangers.ts'
import type { Queryable } from '../../src/store/db.ts'

/** Authenticates a key in a process with an empty cache. */
export const authenticate = async (db: Queryable, clock: Clock, key: string): Promise<Caller | Refusal> =>
  createAuthenticator(db, clock, createStrangerLimit(clock)).authenticate(`Bearer ${key}`, { ip: '127.0.0.1' })
