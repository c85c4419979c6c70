import { equal, ok } from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { ask, createSecrets, deliverTo, launchRefused, SCOPES, withGateway } from '../../../kit/steps/processes.ts'

const KEY = `gk_boot_${'k'.repeat(43)}`
const READ_ONLY = `gk_read_${'r'.repeat(43)}`
const WEBHOOK_SECRET = `whsec_${'1'.repeat(64)}`

const FILE = {
  apps: [
    {
      app_id: 'app_boot',
      owner_id: 'owner_boot',
      keys: [
        { key: KEY, scopes: SCOPES },
        { key: READ_ONLY, scopes: ['conversations:read'] },
      ],
    },
  ],
  devices: [{ device_id: 'dev_boot' }],
  endpoints: [
    {
      endpoint_id: 'ep_boot',
      app_id: 'app_boot',
      device_id: 'dev_boot',
      assistant: { type: 'echo' },
      accepts: ['text/*'],
    },
  ],
  webhooks: [
    {
      integration_id: 'wh_boot',
      app_id: 'app_boot',
      endpoint_id: 'ep_boot',
      secret: WEBHOOK_SECRET,
      subject: 'conformance',
      event_type_field: 'type',
      event_types: ['question'],
      action: 'message',
      match: 'key',
      message_field: 'text',
      conversation_key_field: 'order',
      enabled: true,
    },
  ],
  callbacks: [
    {
      callback_id: 'cb_boot',
      endpoint_id: 'ep_boot',
      url: 'http://127.0.0.1:9/callbacks',
      events: ['run.completed'],
      secret: `whsec_${'2'.repeat(64)}`,
      enabled: true,
    },
  ],
}

/** For each record that the check reads: an object with the members that it compares. */
const COMPARED: readonly object[] = [
  { app_id: true, owner_id: true },
  ...FILE.devices,
  ...FILE.endpoints,
  ...FILE.webhooks,
  ...FILE.callbacks,
]

const NEEDS = ['driver.launch'] as const

export const checks: readonly ServerCheck[] = [
  {
    id: 'running/bootstrap-is-applied',
    title: 'every record of the bootstrap file exists after start, and applying the file again changes none',
    rules: [
      'BOOT-01',
      'BOOT-02',
      'BOOT-04',
      'BOOT-05',
      'BOOT-06',
      'BOOT-07',
      'BOOT-08',
      'CONF-07',
      'CONF-08',
      'CONF-09',
      'CONF-13',
    ],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const secrets = createSecrets()
      const settings = {
        ...secrets,
        GATEWAY_BOOTSTRAP: `file:${JSON.stringify(FILE)}`,
        GATEWAY_CALLBACK_DEV_TARGETS: 'http://127.0.0.1:9',
      }
      await withGateway(t, settings, async (launched, baseUrl) => {
        const readRecords = async (origin: string) => {
          const admin = { key: secrets.GATEWAY_ADMIN_TOKEN }
          const records = await Promise.all(
            [
              'apps/app_boot',
              'devices/dev_boot',
              'apps/app_boot/endpoints/ep_boot',
              'webhooks/wh_boot',
              'callbacks/cb_boot',
            ].map((path) => ask(t, `${origin}/admin/v1/${path}`, admin)),
          )
          for (const { status, text } of records) equal(status, 200, text)
          // Other members of a record may change on their own. URLs are not compared.
          return records.map(({ json }, at) =>
            JSON.stringify(Object.keys(COMPARED[at] ?? {}).map((name) => (name === 'url' ? null : json[name]))),
          )
        }
        const before = await readRecords(baseUrl)
        const create = (key: string, endpointId: string) =>
          ask(t, `${baseUrl}/api/v1/conversations`, { key, json: { endpoint_id: endpointId } })
        equal((await create(READ_ONLY, 'ep_boot')).status, 403)
        const created = await create(KEY, 'ep_boot')
        equal(created.status, 201, created.text)
        equal(created.json.owner_id, 'owner_boot')
        equal(created.json.app_id, 'app_boot')
        const event = { type: 'question', text: 'hello', order: 'order-1' }
        equal(await deliverTo(t, `${baseUrl}/api/v1/webhooks/wh_boot`, event, WEBHOOK_SECRET), 202)
        equal((await create(KEY, 'ep_none')).status, 404)
        await launched.end('SIGTERM')
        const again = await launched.again(settings)
        try {
          const after = await readRecords(again.baseUrl ?? '')
          for (const [at, record] of before.entries())
            equal(after[at], record, 'applying the file again changed a record')
        } finally {
          await again.end('SIGKILL')
        }
      })
    },
  },
  {
    id: 'running/bootstrap-faults',
    title:
      'a bootstrap file that is unreadable, invalid or refers to unknown records stops the start with an error that names the place',
    rules: ['BOOT-03'],
    needs: NEEDS,
    alone: 'launch',
    run: async (t) => {
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ['/no/such/file.json', ['GATEWAY_BOOTSTRAP']],
        [`file:${JSON.stringify({ apps: [{ app_id: 'app_1' }], surprise: true })}`, ['owner_id']],
        [
          `file:${JSON.stringify({ endpoints: [{ endpoint_id: 'ep_1', app_id: 'app_none', device_id: 'dev_none' }] })}`,
          ['endpoints'],
        ],
      ]
      for (const [file, names] of cases) {
        const { log } = await launchRefused(t, { GATEWAY_BOOTSTRAP: file })
        for (const name of names) ok(log.includes(name), `the message does not name ${name}:\n${log}`)
      }
    },
  },
]
