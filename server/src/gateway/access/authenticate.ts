import type { Clock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { LRUCache } from 'lru-cache'
import { equalHashes, identifyKey } from '../../domain/api-key.ts'
import type { KeyOfApp } from '../../store/api-keys.ts'
import { findKeyOfApp } from '../../store/api-keys.ts'
import type { Queryable } from '../../store/db.ts'
import type { AppLimits } from '../decide-admission.ts'
import { readBearer } from './bearer.ts'
import type { FailureLimit, Peer } from './limit-failures.ts'

/** The caller of a request: an application, by one of its keys. */
export interface Caller extends AppLimits {
  readonly keyId: string
  readonly appId: string
  readonly scopes: ReadonlySet<string>
  /** The rate that the application sets for each of its keys; null for the gateway's rate. */
  readonly rateLimitPerSecond: number | null
}

export interface Authenticator {
  /**
   * Finds the caller by the key of an `Authorization` header (D-05). A missing, malformed, unknown, expired or revoked
   * key is UNAUTHENTICATED, and a key of a disabled application PERMISSION_DENIED. If the client's address has failed
   * too often, every key that is not cached is RATE_LIMITED. For a key with a fresh look-up, it returns the answer
   * without a promise.
   */
  authenticate(authorization: string | undefined, peer: Peer): Caller | Refusal | Promise<Caller | Refusal>
  /**
   * Whether a caller's key would still be accepted now: for work that continues after the request, such as an event
   * stream. Rejects if the database is unavailable.
   */
  isStillValid(caller: Caller): Promise<boolean>
  /** Makes all cached look-ups stale, so that a change made in this process applies from the next request. */
  forget(): void
}

/**
 * How long a look-up of a key is cached, in milliseconds. Together with the look-up's own time it stays below the 5
 * seconds in which a revocation or a new key must take effect on every process (D-04).
 */
const CACHE_MS = 3000

/** Maximum number of cached keys; beyond it the least recently used one is dropped. */
const KEPT_KEYS = 10_000

/** Maximum number of cached tokens that belong to no key. */
const KEPT_UNKNOWN = 10_000

/** The hash for unknown keys, so that they cost as much time as a wrong secret. */
const NO_HASH = new Uint8Array(32)

interface KnownKey {
  readonly record: KeyOfApp
  readonly caller: Caller
}

/** The result of a look-up, its start time, and how often `forget` had been called by then. */
interface Finding {
  readonly key: KnownKey | null
  readonly atMs: number
  readonly age: number
}

export const createAuthenticator = (db: Queryable, clock: Clock, failureLimit: FailureLimit): Authenticator => {
  /** Look-ups of existing keys, by reference. */
  const known = new LRUCache<string, Finding>({ max: KEPT_KEYS })
  /** Look-ups without a matching key, by the hash of the token. */
  const unknown = new LRUCache<string, Finding>({ max: KEPT_UNKNOWN })
  const lookUps = new Map<string, Promise<Finding>>()
  let age = 0

  const isFresh = (finding: Finding): boolean => finding.age === age && clock.now().getTime() - finding.atMs <= CACHE_MS

  const lookUp = (reference: string): Promise<Finding> => {
    const underWay = lookUps.get(reference)
    if (underWay !== undefined) return underWay
    const asked = { atMs: clock.now().getTime(), age }
    const started = findKeyOfApp(db, reference)
      .then((record) => {
        const finding = { ...asked, key: record === null ? null : { record, caller: callerOf(record) } }
        if (record === null) known.delete(reference)
        else known.set(reference, finding)
        return finding
      })
      .finally(() => {
        if (lookUps.get(reference) === started) lookUps.delete(reference)
      })
    lookUps.set(reference, started)
    return started
  }

  /** Handles uncached tokens, including wrong secrets of known keys, at equal cost. */
  const judgeUncached = (
    reference: string,
    hash: Uint8Array,
    peer: Peer,
  ): Caller | Refusal | Promise<Caller | Refusal> => {
    const limited = failureLimit.refuse(peer)
    if (limited !== null) return limited
    const name = Buffer.from(hash).toString('latin1')
    const before = unknown.get(name)
    if (before !== undefined && isFresh(before)) {
      failureLimit.count(peer)
      return UNKNOWN_KEY
    }
    return lookUp(reference).then((finding) => {
      const answer = judge(finding.key, hash, clock)
      if (answer === UNKNOWN_KEY) {
        unknown.set(name, finding)
        failureLimit.count(peer)
      }
      return answer
    })
  }

  return {
    authenticate: (authorization, peer) => {
      const token = readBearer(authorization)
      if (token === undefined) return NO_KEY
      const { reference, hash } = identifyKey(token)
      const before = known.get(reference)
      const isRightSecret = equalHashes(before?.key?.record.secretHash ?? NO_HASH, hash)
      if (before === undefined || !isRightSecret) return judgeUncached(reference, hash, peer)
      return isFresh(before)
        ? judge(before.key, hash, clock)
        : lookUp(reference).then(({ key }) => judge(key, hash, clock))
    },
    isStillValid: async ({ keyId }) => {
      const before = known.get(keyId)
      const { key } = before !== undefined && isFresh(before) ? before : await lookUp(keyId)
      return key !== null && refuseInvalid(key.record, clock) === null
    },
    forget: () => {
      age += 1
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

/** Only a caller with the right secret learns why the key is refused. */
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
