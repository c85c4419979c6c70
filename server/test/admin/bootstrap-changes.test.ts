import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { beforeEach, expect, test } from 'vitest'
import { getCallback, rotateCallbackSecret, updateCallback } from '../../src/gateway/admin/callbacks/callbacks.ts'
import { getWebhook, rotateWebhookSecret } from '../../src/gateway/admin/webhooks.ts'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { openCallbackSecret, openWebhookSecret } from '../../src/gateway/secrets/signing-secret.ts'
import { findCallback } from '../../src/store/admin/callbacks.ts'
import { findWebhook } from '../../src/store/admin/webhooks.ts'
import type { Statement } from '../../src/store/db.ts'
import { KEYS, TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import type { TestClock } from '../support/gateway-fixture.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'
import { answerOf, clearConfiguration } from './support.ts'

const WEBHOOK = { ...MESSAGE_BY_KEY, integration_id: 'wh_file', secret: 'whsec_initial' }
const CALLBACK = {
  callback_id: 'cb_file',
  endpoint_id: 'ep_script',
  url: 'https://orders.example.com/events?token=hunter2',
  events: ['run.completed' as const],
  secret: 'cbsec_initial',
}
const FORGET: Statement = {
  name: 'test_forget_file_secrets',
  access: 'write',
  text: 'with w as (update webhooks set file_secret = null) update callbacks set file_secret = null',
}

eachDatabase('a bootstrap file for an existing database', (database) => {
  let clock: TestClock
  let context: GatewayContext
  beforeEach(async () => {
    await clearConfiguration(database.db)
    clock = createTestClock()
    const callbackTargets = { hosts: new Set(['orders.example.com']), devOrigins: new Set<string>() }
    context = { ...testContext(database.db, clock), callbackTargets }
    await apply()
  })
  const apply = async (more: Bootstrap = {}) => {
    clock.pass(1000)
    const file = { ...TEST_BOOTSTRAP, webhooks: [WEBHOOK], callbacks: [CALLBACK], ...more }
    const { faults, changes } = await applyBootstrap(context, file)
    expect(faults).toEqual([])
    return changes
  }
  const secretsNow = async (): Promise<(string | undefined)[]> => {
    const [webhook, callback] = [await findWebhook(context.db, 'wh_file'), await findCallback(context.db, 'cb_file')]
    const { secrets } = context
    return [
      webhook === null || secrets === null ? undefined : openWebhookSecret(secrets, 'wh_file', webhook.sealedSecret),
      callback === null ? undefined : openCallbackSecret(secrets, 'cb_file', callback.sealedSecret),
    ]
  }
  const rotate = async (): Promise<string[]> => [
    answerOf(await rotateWebhookSecret(context, 'wh_file')).secret,
    answerOf(await rotateCallbackSecret(context, 'cb_file')).secret,
  ]

  test('does not restore a rotated secret, however often it is applied [BOOT-10]', async () => {
    const rotated = await rotate()
    const before = [answerOf(await getWebhook(context, 'wh_file')), answerOf(await getCallback(context, 'cb_file'))]
    for (let round = 0; round < 3; round += 1) expect(await apply()).toEqual([])
    expect(await secretsNow()).toEqual(rotated)
    expect([answerOf(await getWebhook(context, 'wh_file')), answerOf(await getCallback(context, 'cb_file'))]).toEqual(
      before,
    )
  })

  test('sets a changed secret once, even after a rotation [BOOT-10, BOOT-02]', async () => {
    await rotate()
    const edited = {
      webhooks: [{ ...WEBHOOK, secret: 'whsec_edited' }],
      callbacks: [{ ...CALLBACK, secret: 'cbsec_edited' }],
    }
    expect(await apply(edited)).toEqual([
      { kind: 'webhook', id: 'wh_file', change: 'changed', fields: ['secret'] },
      { kind: 'callback', id: 'cb_file', change: 'changed', fields: ['secret'] },
    ])
    expect(await secretsNow()).toEqual(['whsec_edited', 'cbsec_edited'])
    const rotated = await rotate()
    expect(await apply(edited)).toEqual([])
    expect(await secretsNow()).toEqual(rotated)
  })

  test('keeps the stored secret, and reports this once, if the earlier secret of the file is unknown [BOOT-10]', async () => {
    const rotated = await rotate()
    await database.db.query(FORGET, [])
    expect(await apply()).toEqual([
      { kind: 'webhook', id: 'wh_file', change: 'kept', fields: ['secret'] },
      { kind: 'callback', id: 'cb_file', change: 'kept', fields: ['secret'] },
    ])
    expect(await secretsNow()).toEqual(rotated)
    expect(await apply()).toEqual([])
    await apply({ webhooks: [{ ...WEBHOOK, secret: 'whsec_edited' }] })
    expect(await secretsNow()).toEqual(['whsec_edited', rotated[1]])
  })

  test('remembers the secrets of the file if they equal the stored ones [BOOT-10]', async () => {
    await database.db.query(FORGET, [])
    expect(await apply()).toEqual([])
    const rotated = await rotate()
    expect(await apply()).toEqual([])
    expect(await secretsNow()).toEqual(rotated)
  })

  test('reports everything that it changes, without the value of any secret [BOOT-11]', async () => {
    const [app] = TEST_BOOTSTRAP.apps
    const [service, ...services] = TEST_BOOTSTRAP.endpoints
    if (app === undefined || service === undefined) throw new Error('the file of the tests is empty')
    const changes = await apply({
      apps: [
        { ...app, name: 'Shop', pending_limit: 5, keys: [{ key: KEYS.only['runs:read'], scopes: ['runs:write'] }] },
        { app_id: 'app_new', owner_id: 'owner', keys: [{ key: 'chosen-key', scopes: ['runs:read'] }] },
      ],
      devices: [{ device_id: 'dev_second', stream_limit: 3 }, { device_id: 'dev_new' }],
      endpoints: [{ ...service, device_id: 'dev_new', assistant: { type: 'echo' } }, ...services],
      webhooks: [{ ...WEBHOOK, secret: 'whsec_edited', enabled: false, data_field: 'order' }],
      callbacks: [{ ...CALLBACK, url: 'https://orders.example.com/events?token=hunter3', events: ['run.failed'] }],
    })
    const id = expect.stringMatching(/^key_[0-9a-f]{32}$/)
    expect(changes).toEqual([
      { kind: 'app', id: 'app_test', change: 'changed', fields: ['name', 'pending_limit'] },
      {
        kind: 'key',
        id,
        change: 'changed',
        fields: ['scopes'],
        scopes: { added: ['runs:write'], removed: ['runs:read'] },
      },
      { kind: 'app', id: 'app_new', change: 'created', fields: [] },
      { kind: 'key', id, change: 'created', fields: [] },
      { kind: 'device', id: 'dev_second', change: 'changed', fields: ['stream_limit'] },
      { kind: 'device', id: 'dev_new', change: 'created', fields: [] },
      { kind: 'endpoint', id: 'ep_script', change: 'changed', fields: ['device_id'] },
      { kind: 'endpoint', id: 'ep_script', change: 'published', fields: ['assistant'], version: 2 },
      { kind: 'webhook', id: 'wh_file', change: 'changed', fields: ['enabled', 'data_field', 'secret'] },
      { kind: 'callback', id: 'cb_file', change: 'changed', fields: ['device_id', 'events', 'url'] },
    ])
    expect(JSON.stringify(changes)).not.toMatch(/hunter|whsec|cbsec|chosen/)
  })

  test('leaves an entry unchanged that is removed from the file [BOOT-11]', async () => {
    await updateCallback(context, 'cb_file', { enabled: false })
    expect(await apply({ webhooks: [], callbacks: [] })).toEqual([])
    expect(answerOf(await getWebhook(context, 'wh_file')).enabled).toBe(true)
    expect(answerOf(await getCallback(context, 'cb_file')).enabled).toBe(false)
  })
})
