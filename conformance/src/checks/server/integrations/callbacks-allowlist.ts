import assert from 'node:assert/strict'
import type { LaunchedProcess } from '../../../kit/config/driver.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { ask, createSecrets } from '../../../kit/steps/processes.ts'

const SECRETS = createSecrets()
const BOOTSTRAP = JSON.stringify({
  apps: [{ app_id: 'app_list', owner_id: 'owner_list', keys: [] }],
  devices: [{ device_id: 'dev_list' }],
  endpoints: [{ endpoint_id: 'ep_list', app_id: 'app_list', device_id: 'dev_list' }],
})

/** The status of the answer to a request that saves a callback to this URL. */
async function saveStatus(t: ServerContext, { baseUrl }: LaunchedProcess, url: string): Promise<number> {
  const json = { app_id: 'app_list', endpoint_id: 'ep_list', url, events: ['run.completed'], enabled: false }
  return (await ask(t, `${baseUrl}/admin/v1/callbacks`, { key: SECRETS.GATEWAY_ADMIN_TOKEN, json })).status
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/allowlist-setting',
    title: 'the setting SERVICE_GATEWAY_CALLBACK_HOSTS names the allowed hosts, separated by commas, and no others',
    rules: ['CB-08', 'CB-09', 'CB-10', 'CB-11'],
    tags: ['security', 'slow'],
    alone: 'launch',
    needs: ['driver.launch', 'admin'],
    run: async (t) => {
      const settings = { ...SECRETS, GATEWAY_BOOTSTRAP: `file:${BOOTSTRAP}` }
      const empty = await t.driver.launch(settings)
      try {
        assert.ok(empty.baseUrl, empty.log())
        for (const host of ['one.example.com', 'two.example.com', 'example.com'])
          assert.equal(
            await saveStatus(t, empty, `https://${host}/`),
            400,
            'an empty allowlist must block every callback',
          )
      } finally {
        await empty.end('SIGTERM')
      }
      const hosts = 'one.example.com,two.example.com'
      const two = await empty.again({ ...settings, SERVICE_GATEWAY_CALLBACK_HOSTS: hosts })
      try {
        assert.ok(two.baseUrl, two.log())
        for (const host of hosts.split(','))
          assert.equal(
            await saveStatus(t, two, `https://${host}/`),
            201,
            `a callback to the allowed host ${host} must be saved`,
          )
        for (const host of [
          'three.example.com',
          'example.com',
          'sub.one.example.com',
          'one.example.com,two.example.com',
        ])
          assert.equal(
            await saveStatus(t, two, `https://${host}/`),
            400,
            `a callback to ${host}, which is not on the allowlist, must be refused`,
          )
      } finally {
        await two.end('SIGKILL')
      }
    },
  },
  {
    id: 'callbacks/allowlist-forms',
    title: 'an allowlist with a scheme, port, path or wildcard is refused, or allows nothing',
    rules: ['CB-09'],
    tags: ['security', 'slow'],
    alone: 'launch',
    needs: ['driver.launch', 'admin'],
    run: async (t) => {
      const settings = { ...SECRETS, GATEWAY_BOOTSTRAP: `file:${BOOTSTRAP}` }
      for (const entry of ['https://one.example.com', 'one.example.com:443', 'one.example.com/path', '*.example.com']) {
        const launched = await t.driver.launch({ ...settings, SERVICE_GATEWAY_CALLBACK_HOSTS: entry })
        try {
          if (launched.baseUrl === null) continue
          if (t.profile === 'reference') assert.fail(`the gateway starts with ${entry} on its allowlist`)
          for (const url of ['https://one.example.com/', `https://${entry.replace('https://', '')}/`])
            assert.equal(
              await saveStatus(t, launched, url),
              400,
              `a callback to ${url} must be refused if the allowlist is ${entry}`,
            )
        } finally {
          await launched.end('SIGKILL')
        }
      }
    },
  },
  {
    id: 'callbacks/exempt-origins-are-for-loopback',
    title:
      'a gateway that listens on an address other than loopback refuses to start with GATEWAY_CALLBACK_DEV_TARGETS',
    rules: ['CB-63'],
    tags: ['security', 'slow'],
    alone: 'launch',
    needs: ['driver.launch'],
    run: async (t) => {
      const open = { ...SECRETS, GATEWAY_HOST: '0.0.0.0', GATEWAY_BEHIND_PROXY: '1' }
      const launched = await t.driver.launch({ ...open, GATEWAY_CALLBACK_DEV_TARGETS: 'http://127.0.0.1:9000' })
      await launched.end('SIGKILL')
      assert.equal(launched.baseUrl, null, 'the gateway must not start')
      assert.ok(launched.log().includes('GATEWAY_CALLBACK_DEV_TARGETS'), 'the message must name the setting')
      const loopback = { ...SECRETS, GATEWAY_HOST: '127.0.0.1', GATEWAY_CALLBACK_DEV_TARGETS: 'http://127.0.0.1:9000' }
      const started = await launched.again(loopback)
      await started.end('SIGKILL')
      assert.ok(started.baseUrl, started.log())
    },
  },
]
