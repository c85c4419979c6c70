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
import type { Peer, StrangerLimit } from './limit-strangers.ts'

/** Who makes a request of the worker API: a worker, by a key of its device, or an `http` assistant by the token of a run. */
export interface DeviceIdentity {
  readonly deviceId: string
  /** Of a run's token the run's ID. */
  readonly keyId: string
  /** The only run that a run's token is good for; null for a key. */
  readonly run: SessionRun | null
}

export interface DeviceGate {
  /**
   * The device behind an `Authorization` header; UNAUTHENTICATED for any key that is none of a device's, RATE_LIMITED as for
   * any stranger.
   * @param takesRunToken Whether the token of a run that executes does as well.
   */
  authenticate(authorization: string | undefined, peer: Peer, takesRunToken: boolean): Promise<DeviceIdentity | Refusal>
  /** Reads every key anew, so that a change made in this process counts from its next request. */
  forget(): void
}

/** How long is believed what the database said of a key: with a look-up less than the 5 s in which a revocation works. */
const BELIEVED_MS = 3000
/** Keys that are kept at once. */
const KEPT_KEYS = 10_000
/** How old the moment of a key's last use may be before it is written anew. */
const TOUCH_MS = 60_000

export const createDeviceGate = (
  { db, clock, secrets }: Pick<GatewayContext, 'db' | 'clock' | 'secrets'>,
  strangers: StrangerLimit,
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
      const before = known.get(name)
      if (before !== undefined && Math.abs(nowMs - before.readAtMs) < BELIEVED_MS) return before.identity
      const limited = before === undefined ? strangers.refuse(peer) : null
      if (limited !== null) return limited
      const key = isDeviceKey(token) ? await findDeviceKeyByHash(db, hash) : null
      if (key === null) {
        known.delete(name)
        strangers.count(peer)
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
