import { LRUCache } from 'lru-cache'
import { equalHashes, hashToken, identifyKey } from '../domain/api-key.ts'
import type { Clock } from '../domain/clock.ts'
import type { Refusal } from '../domain/refusal.ts'
import { refuse } from '../domain/refusal.ts'
import type { KeyOfApp } from '../store/api-keys.ts'
import { findKeyOfApp } from '../store/api-keys.ts'
import type { Queryable } from '../store/db.ts'
import type { AppLimits } from './send-message.ts'

/** Who makes a request: an application, by one of its keys. */
export interface Caller extends AppLimits {
  readonly keyId: string
  readonly appId: string
  readonly scopes: ReadonlySet<string>
  /** Requests per second of this key; null for no limit. */
  readonly rateLimitPerSecond: number | null
}

export interface Authenticator {
  /**
   * The caller behind an `Authorization` header (D-05): UNAUTHENTICATED for no, malformed, unknown, expired or revoked
   * key, PERMISSION_DENIED for one of a disabled application. A key that was used in the last seconds is answered at
   * once, without a promise.
   */
  authenticate(authorization: string | undefined): Caller | Refusal | Promise<Caller | Refusal>
  /**
   * Whether a caller's key would still be accepted now: for what goes on after its request, such as an event stream.
   * Rejects when the database cannot be asked.
   */
  isStillValid(caller: Caller): Promise<boolean>
  /** Forgets what was read about keys, so that a change made in this process counts from its next request. */
  forget(): void
}

/**
 * How long a key is believed without asking the database, in milliseconds. With the time of a look-up it stays below
 * the 5 seconds in which a revocation has to work on every process (D-04).
 */
const BELIEVED_MS = 3000

/** Keys that are kept at once; beyond that the one unused for longest is read anew. */
const KEPT_KEYS = 10_000

/** One bearer token of visible characters. Repeated headers arrive joined by a comma and a space, and do not match. */
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i

/** Stands in for the hash of a key that does not exist, so that it costs what a wrong secret costs. */
const NO_HASH = new Uint8Array(32)

interface KnownKey {
  readonly record: KeyOfApp
  readonly caller: Caller
}

export const createAuthenticator = (db: Queryable, clock: Clock): Authenticator => {
  const known = new LRUCache<string, KnownKey>({
    max: KEPT_KEYS,
    ttl: BELIEVED_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  })
  const lookUps = new Map<string, Promise<KnownKey | null>>()

  const lookUp = (reference: string): Promise<KnownKey | null> => {
    const startedAt = clock.now().getTime()
    const started = findKeyOfApp(db, reference)
      .then((record) => {
        if (record === null) return null
        const key = { record, caller: callerOf(record) }
        // After `forget` this may be the old state: it answers those who asked before, and no one later.
        if (lookUps.get(reference) === started) known.set(reference, key, { start: startedAt })
        return key
      })
      .finally(() => {
        if (lookUps.get(reference) === started) lookUps.delete(reference)
      })
    lookUps.set(reference, started)
    return started
  }

  return {
    authenticate: (authorization) => {
      const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
      if (token === undefined) return NO_KEY
      const { reference, hash } = identifyKey(token)
      const key = known.get(reference)
      if (key !== undefined) return judge(key, hash, clock)
      return (lookUps.get(reference) ?? lookUp(reference)).then((found) => judge(found, hash, clock))
    },
    isStillValid: async ({ keyId }) => {
      const key = known.get(keyId) ?? (await (lookUps.get(keyId) ?? lookUp(keyId)))
      return key !== null && refuseInvalid(key.record, clock) === null
    },
    forget: () => {
      known.clear()
      lookUps.clear()
    },
  }
}

const callerOf = ({ keyId, appId, scopes, pendingLimit, rateLimitPerSecond }: KeyOfApp): Caller => ({
  keyId,
  appId,
  scopes: new Set(scopes),
  pendingLimit,
  rateLimitPerSecond,
})

/** Only who has shown the secret is told more than that the key is not valid. */
const judge = (key: KnownKey | null, hash: Uint8Array, clock: Clock): Caller | Refusal => {
  const matches = equalHashes(key?.record.secretHash ?? NO_HASH, hash)
  if (key === null || !matches) return UNKNOWN_KEY
  return refuseInvalid(key.record, clock) ?? key.caller
}

const refuseInvalid = ({ revokedAt, expiresAt, appState }: KeyOfApp, clock: Clock): Refusal | null => {
  if (revokedAt !== null) return REVOKED_KEY
  if (expiresAt !== null && expiresAt <= clock.now()) return EXPIRED_KEY
  return appState === 'disabled' ? DISABLED_APP : null
}

const NO_KEY = refuse('UNAUTHENTICATED', 'Send an application key as `Authorization: Bearer <key>`.')
const UNKNOWN_KEY = refuse('UNAUTHENTICATED', 'The key is not valid.')
const REVOKED_KEY = refuse('UNAUTHENTICATED', 'The key was revoked.')
const EXPIRED_KEY = refuse('UNAUTHENTICATED', 'The key has expired.')
const DISABLED_APP = refuse('PERMISSION_DENIED', 'The application is disabled.')

/** Refuses whoever does not present the admin token (D-46); null lets the operator in. */
export type OperatorGate = (authorization: string | undefined) => Refusal | null

/** The comparison takes the same time whatever is presented. Without an admin token nobody is let in. */
export const createOperatorGate = (adminToken: string | null): OperatorGate => {
  const expected = adminToken === null ? null : hashToken(adminToken)
  return (authorization) => {
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
    if (expected === null || token === undefined) return NO_OPERATOR
    return equalHashes(expected, hashToken(token)) ? null : NO_OPERATOR
  }
}

const NO_OPERATOR = refuse('UNAUTHENTICATED', 'Send the admin token as `Authorization: Bearer <token>`.')
