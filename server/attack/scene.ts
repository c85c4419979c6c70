import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { writeBootstrap } from '../test/support/bootstrap-file.ts'
import type { Client } from '../test/support/client.ts'
import { createClient } from '../test/support/client.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import { startGateway } from '../test/support/gateway-process.ts'

/** The storage of a gateway: a new database of a server, or a folder, by default a temporary one. */
export type SceneDatabase =
  | { readonly kind: 'postgres'; readonly serverUrl: string }
  | { readonly kind: 'embedded'; readonly folder?: string }
export type DatabaseKind = SceneDatabase['kind']

/** Two tenants of one gateway: an attacker, and another tenant that should not be affected. */
export interface Scene {
  readonly kind: DatabaseKind
  /** Null on the embedded database. */
  readonly databaseUrl: string | null
  gateway(): GatewayProcess
  readonly attacker: Tenant
  readonly otherTenant: Tenant
  /** Ends the process by SIGKILL and starts a replacement; resolves when the replacement is ready. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Tenant {
  readonly key: string
  readonly subject: string
  client(): Client
  /** A new conversation with a service; returns its ID. */
  createConversation(endpointId: string): Promise<string>
}

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const
const keyOf = (name: string): string => `gk_${name}_${randomUUID().replaceAll('-', '').padEnd(43, 'k')}`

/** Services of the scene. The tenants share the attacker's device; the other tenant also has its own. */
export const ENDPOINTS = { attack: 'ep_attack', shared: 'ep_shared', own: 'ep_own' } as const

/**
 * Starts a gateway with an attacker and another tenant, as a separate process.
 * @param settings environment variables that override the others. Limits not set here are those of a real deployment.
 */
export const startScene = async (
  storage: SceneDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> => {
  const keys = { attacker: keyOf('attacker'), other: keyOf('other') }
  const database = storage.kind === 'postgres' ? await createDatabase(storage.serverUrl) : null
  const folder = await mkdtemp(join(tmpdir(), 'gateway-attack-'))
  const dataFolder = (storage.kind === 'embedded' && storage.folder) || folder
  const environment = {
    GATEWAY_LOG_LEVEL: 'fatal',
    ...(database === null ? { GATEWAY_DATA_DIR: dataFolder } : { DATABASE_URL: database.url }),
    GATEWAY_BOOTSTRAP: await writeBootstrap(bootstrapOf(keys)),
    ...settings,
  }
  let gateway = await startGateway(environment)
  const tenant = (key: string, subject: string): Tenant => {
    const client = (): Client => createClient({ baseUrl: gateway.baseUrl, key, subject })
    return {
      key,
      subject,
      client,
      createConversation: async (endpointId) => {
        const answer = await client().createConversation({ endpoint_id: endpointId })
        if (answer.status !== 201) throw new Error(`no conversation: ${JSON.stringify(answer.body)}`)
        return answer.body.conversation_id
      },
    }
  }
  return {
    kind: storage.kind,
    databaseUrl: database?.url ?? null,
    gateway: () => gateway,
    attacker: tenant(keys.attacker, 'attacker-1'),
    otherTenant: tenant(keys.other, 'other-1'),
    restart: async () => {
      await gateway.kill()
      gateway = await startGateway(environment)
    },
    close: async () => {
      await gateway.stop()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const bootstrapOf = (keys: { readonly attacker: string; readonly other: string }) =>
  ({
    apps: [
      { app_id: 'app_attacker', owner_id: 'attacker', keys: [{ key: keys.attacker, scopes: [...SCOPES] }] },
      { app_id: 'app_other', owner_id: 'other', keys: [{ key: keys.other, scopes: [...SCOPES] }] },
    ],
    devices: [{ device_id: 'dev_shared' }, { device_id: 'dev_own' }],
    endpoints: [
      {
        endpoint_id: ENDPOINTS.attack,
        app_id: 'app_attacker',
        device_id: 'dev_shared',
        assistant: { type: 'script' },
      },
      { endpoint_id: ENDPOINTS.shared, app_id: 'app_other', device_id: 'dev_shared', assistant: { type: 'echo' } },
      { endpoint_id: ENDPOINTS.own, app_id: 'app_other', device_id: 'dev_own', assistant: { type: 'echo' } },
    ],
  }) satisfies Bootstrap
