import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const

const secret = (name: string): string => `gk_${name}_${name.padEnd(43, 'x')}`

/** Keys of the test applications: with all scopes, of another application, and with one scope each. */
export const KEYS = {
  all: secret('all'),
  otherApp: secret('other'),
  only: {
    'conversations:read': secret('cread'),
    'conversations:write': secret('cwrite'),
    'runs:read': secret('rread'),
    'runs:write': secret('rwrite'),
  },
} as const

/** Two applications, two devices, and services of the assistants without external dependencies. */
export const TEST_BOOTSTRAP = {
  apps: [
    {
      app_id: 'app_test',
      owner_id: 'owner_test',
      keys: [
        { key: KEYS.all, scopes: [...SCOPES] },
        ...SCOPES.map((scope) => ({ key: KEYS.only[scope], scopes: [scope] })),
      ],
    },
    { app_id: 'app_other', owner_id: 'owner_other', keys: [{ key: KEYS.otherApp, scopes: [...SCOPES] }] },
  ],
  devices: [{ device_id: 'dev_test' }, { device_id: 'dev_second' }],
  endpoints: [
    {
      endpoint_id: 'ep_script',
      app_id: 'app_test',
      device_id: 'dev_test',
      assistant: { type: 'script' },
      accepts: ['text/*'],
    },
    {
      endpoint_id: 'ep_echo',
      app_id: 'app_test',
      device_id: 'dev_test',
      assistant: { type: 'echo' },
      accepts: ['text/*'],
    },
    {
      endpoint_id: 'ep_second',
      app_id: 'app_test',
      device_id: 'dev_second',
      assistant: { type: 'script' },
      accepts: ['text/*'],
    },
    {
      endpoint_id: 'ep_other',
      app_id: 'app_other',
      device_id: 'dev_test',
      assistant: { type: 'script' },
      accepts: ['text/*'],
    },
  ],
} satisfies Bootstrap

/** Writes a bootstrap file into a new folder and returns its path. */
export const writeBootstrap = async (content: unknown = TEST_BOOTSTRAP): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'gateway-bootstrap-')), 'bootstrap.json')
  await writeFile(path, JSON.stringify(content))
  return path
}
