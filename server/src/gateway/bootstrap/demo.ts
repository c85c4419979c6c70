import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { equalHashes, identifyKey, issueKey } from '../../domain/api-key.ts'
import { findApp, hasApps } from '../../store/admin/apps.ts'
import { BOOTSTRAP_DEADLINE, lockBootstrap } from '../../store/admin/bootstrap-lock.ts'
import { findHashedKey } from '../../store/admin/keys.ts'
import type { GatewayContext } from '../context.ts'
import { applyEntries } from './bootstrap.ts'

/** The IDs of the demo data, which the first start on an empty database creates (D-48). */
export const DEMO = {
  appId: 'app_demo',
  deviceId: 'dev_demo',
  /** Echoes its input as a stream. */
  echoEndpointId: 'ep_demo_echo',
  /** Follows the script in its input (D-45), to try cancelling, approvals and failures. */
  scriptEndpointId: 'ep_demo_script',
  /** Serves the page under `/demo`. It is published when the gateway loads that page at its start. */
  chatEndpointId: 'ep_demo_chat',
} as const

const demoFile = (key: string): Bootstrap => ({
  apps: [
    {
      app_id: DEMO.appId,
      owner_id: 'owner_demo',
      name: 'Demo',
      keys: [{ key, scopes: ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] }],
    },
  ],
  devices: [{ device_id: DEMO.deviceId, name: 'Demo' }],
  endpoints: [
    {
      endpoint_id: DEMO.echoEndpointId,
      app_id: DEMO.appId,
      device_id: DEMO.deviceId,
      name: 'Echo',
      assistant: { type: 'echo' },
    },
    {
      endpoint_id: DEMO.scriptEndpointId,
      app_id: DEMO.appId,
      device_id: DEMO.deviceId,
      name: 'Script',
      assistant: { type: 'script' },
    },
  ],
})

/**
 * Creates the demo in a database without applications and returns its key, which cannot be read later; null if there
 * are applications. `keepKey` is called before the commit, so that a crash cannot lose the key.
 */
export const createDemo = (context: GatewayContext, keepKey: (key: string) => Promise<void>): Promise<string | null> =>
  context.db.transaction(async (tx) => {
    await lockBootstrap(tx)
    if (await hasApps(tx)) return null
    const { token } = issueKey()
    await applyEntries(context, tx, demoFile(token))
    await keepKey(token)
    return token
  }, BOOTSTRAP_DEADLINE)

/** The state of the demo application; null if it does not exist. */
export const findDemoState = async ({ db }: GatewayContext): Promise<'active' | 'disabled' | null> =>
  (await findApp(db, DEMO.appId))?.state ?? null

/** Whether a kept key is still valid for the demo application. */
export const isDemoKey = async ({ db }: GatewayContext, key: string): Promise<boolean> => {
  const { reference, hash } = identifyKey(key)
  const stored = await findHashedKey(db, reference)
  if (stored === null || stored.appId !== DEMO.appId || stored.revokedAt !== null) return false
  return equalHashes(stored.secretHash, hash)
}
