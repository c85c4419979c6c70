import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'

const KINDS: readonly { readonly type: string; readonly [member: string]: string }[] = [
  { type: 'echo' },
  { type: 'script' },
  { type: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'small-1' },
  { type: 'module', path: './assistant.mjs' },
]

const INVALID_ASSISTANTS: readonly unknown[] = [
  ...[{ type: 'oracle' }, { type: 'Echo' }, { type: 7 }, 'echo'],
  ...[{}, { type: 'openai' }, { type: 'module' }],
]

const createDevice = async (t: ServerContext): Promise<string> =>
  (await t.admin.call<{ device_id: string }>('POST', '/devices', {})).device_id

export const checks: readonly ServerCheck[] = [
  {
    id: 'assistants/four-kinds',
    title:
      'a service can be published with an echo, script, openai or module assistant; invalid assistants are refused',
    rules: ['ASST-01'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const endpoints = `/apps/${t.config.apps.first.appId}/endpoints`
      const deviceId = await createDevice(t)
      for (const assistant of KINDS) {
        const made = await t.admin.call<{ endpoint_id: string; assistant: { type: string } }>('POST', endpoints, {
          device_id: deviceId,
          assistant,
        })
        assert.equal(made.assistant.type, assistant.type)
        const read = await t.admin.call<{ assistant: { type: string } }>('GET', `${endpoints}/${made.endpoint_id}`)
        assert.equal(read.assistant.type, assistant.type)
      }
      for (const assistant of INVALID_ASSISTANTS) {
        const answer = await t.admin.request('POST', endpoints, { json: { device_id: deviceId, assistant } })
        expectStatus(answer, 400)
      }
    },
  },
  {
    id: 'assistants/echo-by-default',
    title: 'a service without a named assistant uses echo',
    rules: ['ASST-02'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const endpoints = `/apps/${t.config.apps.first.appId}/endpoints`
      const service = { device_id: await createDevice(t) }
      const made = await t.admin.call<{ assistant: { type: string } }>('POST', endpoints, service)
      assert.equal(made.assistant.type, 'echo')
    },
  },
  {
    id: 'assistants/own-variables',
    title: 'a service whose api_key_env names one of the gateway’s own variables is refused',
    rules: ['ASST-12'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const endpoints = `/apps/${t.config.apps.first.appId}/endpoints`
      const deviceId = await createDevice(t)
      const made = await t.admin.call<{ endpoint_id: string }>('POST', endpoints, { device_id: deviceId })
      for (const name of ['GATEWAY_ADMIN_TOKEN', 'SERVICE_GATEWAY_CALLBACK_HOSTS', 'DATABASE_URL', 'PGPASSWORD']) {
        const assistant = { type: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'small-1', api_key_env: name }
        for (const [path, json] of [
          [endpoints, { device_id: deviceId, assistant }],
          [`${endpoints}/${made.endpoint_id}/versions`, { assistant }],
        ] as const) {
          const { text } = expectStatus(await t.admin.request('POST', path, { json }), 400)
          assert.ok(
            text.includes('"/assistant/api_key_env"'),
            `expected the pointer "/assistant/api_key_env" in the refusal of ${name}, got ${text}`,
          )
        }
      }
    },
  },
]
