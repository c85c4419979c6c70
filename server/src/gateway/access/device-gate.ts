import type { Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { LRUCache } from 'lru-cache'
import { hashToken, isDeviceKey } from '../../domain/api-key.ts'
import { findDeviceKeyByHash, touchDeviceKey } from '../../store/admin/device-keys.ts'
import type { SessionRun } from '../../store/worker-sessions.ts'
import { findExecutingRun } from '../../store/worker-sessions.ts'
import type { GatewayContext } from '../context.ts'
import { openRunToken } from '../secrets/run-token.ts'
import { readBearer } from './bearer.ts'
import type { FailureLimit, Peer } from './limit-failures.ts'

/** The caller of the worker API: a worker with a key of its device, or an `http` assistant with a run token. */
export interface DeviceIdentity {
  readonly deviceId: string
  /** For a run token, the run's ID. */
  readonly keyId: string
  /** The only run that a run token gives access to; null for a key. */
  readonly run: SessionRun | null
}

export interface DeviceGate {
  /**
   * Finds the device by the key of an `Authorization` header. Any key that is not a valid device key is
   * UNAUTHENTICATED. If the client's address has failed too often, every key that is not cached is RATE_LIMITED.
   * @param takesRunToken Whether the token of an executing run is accepted too.
   */
  authenticate(authorization: string | undefined, peer: Peer, takesRunToken: boolean): Promise<DeviceIdentity | Refusal>
  /** Clears the cache of keys, so that a change made in this process applies from the next request. */
  forget(): void
}

/**
 * How long a look-up of a key is cached. Together with the look-up's own time it stays below the 5 seconds in which a
 * revocation must take effect.
 */
const CACHE_MS = 3000
/** Maximum number of cached keys. */
const KEPT_KEYS = 10_000
/** Minimum interval between writes of a key's last use. */
const TOUCH_MS = 60_000

export const createDeviceGate = (
  { db, clock, secrets }: Pick<GatewayContext, 'db' | 'clock' | 'secrets'>,
  failureLimit: FailureLimit,
): DeviceGate => {
  const known = new LRUCache<string, { readonly identity: DeviceIdentity; readonly readAtMs: number }>({
    max: KEPT_KEYS,
  })
  const findRunOfToken = async (token: string): Promise<SessionRun | null> => {
    const named = secrets && openRunToken(secrets, token)
    return named && findExecutingRun(db, named)
  }
  return {
    authenticate: async (authorization, peer, takesRunToken) => {
      const token = readBearer(authorization)
      if (token === undefined) return NO_KEY
      const run = takesRunToken ? await findRunOfToken(token) : null
      if (run !== null) return { deviceId: run.deviceId, keyId: run.runId, run }
      const hash = hashToken(token)
      const name = hash.toString('latin1')
      const nowMs = clock.now().getTime()
      const cached = known.get(name)
      if (cached !== undefined && Math.abs(nowMs - cached.readAtMs) < CACHE_MS) return cached.identity
      const limited = cached === undefined ? failureLimit.refuse(peer) : null
      if (limited !== null) return limited
      const key = isDeviceKey(token) ? await findDeviceKeyByHash(db, hash) : null
      if (key === null) {
        known.delete(name)
        failureLimit.count(peer)
        return UNKNOWN_KEY
      }
      const identity = { deviceId: key.deviceId, keyId: key.keyId, run: null }
      known.set(name, { identity, readAtMs: nowMs })
      if (key.lastUsedAt === null || nowMs - key.lastUsedAt.getTime() >= TOUCH_MS)
        await touchDeviceKey(db, key.keyId, new Date(nowMs))
      return identity
    },
    forget: () => known.clear(),
  }
}

const NO_KEY = refuse('UNAUTHENTICATED', 'Send a device key as `Authorization: Bearer <key>`.')
const UNKNOWN_KEY = refuse('UNAUTHENTICATED', 'The key is not valid.')
