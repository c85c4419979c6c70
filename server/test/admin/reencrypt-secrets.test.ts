import { randomBytes } from 'node:crypto'
import type { ReencryptedSecrets } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Problem } from '@conversation-gateway/openapi/generated/gateway-closed'
import { beforeEach, expect, it, test } from 'vitest'
import type { SecretKeys } from '../../src/domain/secret-box.ts'
import { createSecretBox } from '../../src/domain/secret-box.ts'
import { createCallback, getCallback, rotateCallbackSecret } from '../../src/gateway/admin/callbacks/callbacks.ts'
import { reencryptSecrets } from '../../src/gateway/admin/reencrypt-secrets.ts'
import { createWebhook, getWebhook, rotateWebhookSecret } from '../../src/gateway/admin/webhooks.ts'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { openCallbackSecret, openWebhookSecret } from '../../src/gateway/secrets/signing-secret.ts'
import { openUrl, urlQueryContext } from '../../src/gateway/secrets/stored-url.ts'
import { findCallback } from '../../src/store/admin/callbacks.ts'
import { findWebhook } from '../../src/store/admin/webhooks.ts'
import type { Statement } from '../../src/store/db.ts'
import { TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import type { TestClock } from '../support/gateway-fixture.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { onGateways } from '../support/running-gateway.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'
import { answerOf, clearConfiguration } from './support.ts'

const [OLD, NEW] = [randomBytes(32), randomBytes(32)]
const STORE_PLAIN_QUERY: Statement = {
  name: 'test_query_in_the_clear',
  access: 'write',
  text: `update callbacks set url = url || '?token=from-before', url_query = null where callback_id = $1`,
}
const CALLBACK = {
  app_id: 'app_test',
  endpoint_id: 'ep_script',
  events: ['run.completed' as const],
  url: 'https://orders.example.com/events',
}
const FILE = {
  ...TEST_BOOTSTRAP,
  webhooks: [{ ...MESSAGE_BY_KEY, integration_id: 'wh_file', secret: 'secret of wh_file' }],
  callbacks: [
    { ...CALLBACK, callback_id: 'cb_file', secret: 'secret of cb_file', url: `${CALLBACK.url}?token=of-the-file` },
  ],
}

eachDatabase('re-encrypting stored secrets', (database) => {
  let clock: TestClock
  beforeEach(async () => {
    clock = createTestClock()
    await clearConfiguration(database.db)
    expect((await applyBootstrap(withKeys(OLD), FILE)).faults).toEqual([])
  })
  const withKeys = (...keys: SecretKeys): GatewayContext => ({
    ...testContext(database.db, clock),
    callbackTargets: { hosts: new Set(['orders.example.com']), devOrigins: new Set() },
    secrets: createSecretBox(...keys),
  })
  const reencrypt = async (context: GatewayContext) => answerOf(await reencryptSecrets(context))
  const readAll = async ({ secrets }: GatewayContext): Promise<string[]> => {
    const [webhook, callback] = [await findWebhook(database.db, 'wh_file'), await findCallback(database.db, 'cb_file')]
    if (secrets === null || webhook === null || callback === null) throw new Error('nothing is stored')
    return [
      openWebhookSecret(secrets, 'wh_file', webhook.sealedSecret),
      openCallbackSecret(secrets, 'cb_file', callback.sealedSecret),
      openUrl(secrets, urlQueryContext('cb_file'), callback),
    ]
  }
  const ALL = ['secret of wh_file', 'secret of cb_file', 'https://orders.example.com/events?token=of-the-file']

  test('makes the older keys unnecessary, and can be repeated [ADMIN-13]', async () => {
    const both = withKeys(NEW, OLD)
    expect(await readAll(both)).toEqual(ALL)
    // Two secrets, the hash of each as the file specified it, and the query of the URL.
    expect(await reencrypt(both)).toEqual({ reencrypted: 5, current: 0, unreadable: 0, unreadable_ids: [] })
    expect(await reencrypt(both)).toEqual({ reencrypted: 0, current: 5, unreadable: 0, unreadable_ids: [] })
    expect(await readAll(withKeys(NEW))).toEqual(ALL)
    expect((await applyBootstrap(withKeys(NEW), FILE)).changes).toEqual([])
  })

  test('does not change the records that operators see [ADMIN-13]', async () => {
    const both = withKeys(NEW, OLD)
    const shown = async () => [await getWebhook(both, 'wh_file'), await getCallback(both, 'cb_file')]
    const before = await shown()
    clock.pass(1000)
    await reencrypt(both)
    expect(await shown()).toEqual(before)
  })

  test('re-encrypts previous secrets until their overlap ends, and removes them afterwards [ADMIN-13]', async () => {
    await rotateWebhookSecret(withKeys(OLD), 'wh_file', 60)
    await rotateCallbackSecret(withKeys(OLD), 'cb_file', 60)
    expect((await reencrypt(withKeys(NEW, OLD))).reencrypted).toBe(7)
    const previous = (await findWebhook(database.db, 'wh_file'))?.previousSecret
    expect(createSecretBox(NEW).isCurrent(previous?.sealed ?? new Uint8Array())).toBe(true)
    clock.pass(60_000)
    expect(await reencrypt(withKeys(NEW))).toMatchObject({ reencrypted: 0, current: 5 })
    expect((await findWebhook(database.db, 'wh_file'))?.previousSecret).toBeNull()
    expect((await findCallback(database.db, 'cb_file'))?.previousSecret).toBeNull()
  })

  test('encrypts URL queries that an older version stored in plain text [ADMIN-13, CB-67]', async () => {
    await createCallback(withKeys(OLD), { ...CALLBACK, callback_id: 'cb_before' })
    await database.db.query(STORE_PLAIN_QUERY, ['cb_before'])
    expect(await reencrypt(withKeys(OLD))).toMatchObject({ reencrypted: 1, current: 6 })
    const callback = await findCallback(database.db, 'cb_before')
    expect(callback?.url).toBe(CALLBACK.url)
    expect(callback && openUrl(createSecretBox(OLD), urlQueryContext('cb_before'), callback)).toBe(
      `${CALLBACK.url}?token=from-before`,
    )
  })

  test('leaves undecryptable secrets unchanged, and lists the IDs of their records [ADMIN-13]', async () => {
    const otherKey = withKeys(randomBytes(32))
    await createWebhook(otherKey, { ...MESSAGE_BY_KEY, integration_id: 'wh_other_key' })
    expect(await reencrypt(withKeys(NEW, OLD))).toEqual({
      reencrypted: 5,
      current: 0,
      unreadable: 1,
      unreadable_ids: ['wh_other_key'],
    })
    expect(await reencrypt(otherKey)).toMatchObject({
      current: 1,
      unreadable: 5,
      unreadable_ids: ['wh_file', 'cb_file'],
    })
  })

  test('covers all records, however many there are [ADMIN-13]', async () => {
    const context = withKeys(OLD)
    for (let n = 0; n < 230; n += 1) await createWebhook(context, { ...MESSAGE_BY_KEY, integration_id: `wh_many_${n}` })
    expect((await reencrypt(withKeys(NEW, OLD))).reencrypted).toBe(235)
    expect((await reencrypt(withKeys(NEW))).current).toBe(235)
  })
})

onGateways('an operator', (gateway) => {
  it('can request the re-encryption, here without any secret [ADMIN-13]', async () => {
    const { status, body } = await gateway.operator.request<ReencryptedSecrets>('POST', '/admin/v1/secrets/reencrypt')
    expect([status, body]).toEqual([200, { reencrypted: 0, current: 0, unreadable: 0, unreadable_ids: [] }])
  })
})

onGateways(
  'an operator of a gateway without a key',
  (gateway) => {
    it('gets the name of the missing setting [ADMIN-13]', async () => {
      const { status, body } = await gateway.operator.request<Problem>('POST', '/admin/v1/secrets/reencrypt')
      expect([status, body.code]).toEqual([503, 'CAPABILITY_UNAVAILABLE'])
      expect(body.detail).toContain('GATEWAY_SECRET_KEY')
    })
  },
  { secretKeys: null },
)
