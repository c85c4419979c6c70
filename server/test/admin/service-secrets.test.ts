import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { openTarget } from '../../src/assistants/http/source.ts'
import type { SecretKeys } from '../../src/domain/secret-box.ts'
import { createSecretBox } from '../../src/domain/secret-box.ts'
import { rotateEndpointSecret } from '../../src/gateway/admin/endpoints.ts'
import { reencryptSecrets } from '../../src/gateway/admin/reencrypt-secrets.ts'
import { createWebhook } from '../../src/gateway/admin/webhooks.ts'
import { applyBootstrap } from '../../src/gateway/bootstrap/bootstrap.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import { findService } from '../../src/store/admin/services.ts'
import { TEST_BOOTSTRAP } from '../support/bootstrap-file.ts'
import { onPglite } from '../support/databases/databases.ts'
import type { TestClock } from '../support/gateway-fixture.ts'
import { createTestClock, testContext } from '../support/gateway-fixture.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'
import { answerOf, clearConfiguration, codeOf } from './support.ts'

const [OLD, NEW] = [randomBytes(32), randomBytes(32)]
const SERVICE = { appId: 'app_test', endpointId: 'ep_http' }
const ENTRY = {
  endpoint_id: 'ep_http',
  app_id: 'app_test',
  device_id: 'dev_test',
  assistant: { type: 'http' as const, url: 'https://agents.example.com/run?token=hunter2' },
  secret: 'whsec_initial',
}

onPglite('the secret of a service in a bootstrap file', (database) => {
  let clock: TestClock
  beforeEach(async () => {
    await clearConfiguration(database.db)
    clock = createTestClock()
    expect((await apply()).faults).toEqual([])
  })
  const under = (...keys: SecretKeys): GatewayContext => ({
    ...testContext(database.db, clock),
    secrets: createSecretBox(...keys),
  })
  const apply = (entry: object = {}, context: GatewayContext = under(OLD)) =>
    applyBootstrap(context, { ...TEST_BOOTSTRAP, endpoints: [...TEST_BOOTSTRAP.endpoints, { ...ENTRY, ...entry }] })
  const stored = async () => {
    const service = await findService(database.db, SERVICE.appId, SERVICE.endpointId)
    if (service === null) throw new Error('nothing is stored')
    return service
  }
  /** The secret that signs runs, and the URL to which they are posted. */
  const target = async (context: GatewayContext = under(OLD)): Promise<string[]> => {
    const { url, secret } = await openTarget(context, SERVICE, Object(await stored()).assistant)
    return [secret, url.href]
  }
  const rotate = async (overlapSeconds?: number) =>
    answerOf(await rotateEndpointSecret(under(OLD), SERVICE.appId, SERVICE.endpointId, overlapSeconds)).secret ?? ''

  test('signs runs, and does not change when the same file is applied again', async () => {
    expect(await target()).toEqual(['whsec_initial', ENTRY.assistant.url])
    expect((await apply()).changes).toEqual([])
    expect(JSON.stringify((await stored()).assistant)).not.toContain('hunter2')
  })

  test('is not restored after a rotation unless it changes in the file', async () => {
    const rotated = await rotate()
    expect((await apply()).changes).toEqual([])
    expect(await target()).toEqual([rotated, ENTRY.assistant.url])
    const url = 'https://agents.example.com/run?token=hunter3'
    expect((await apply({ assistant: { type: 'http', url }, secret: 'whsec_edited' })).changes).toEqual([
      { kind: 'endpoint', id: 'ep_http', change: 'changed', fields: ['secret'] },
      { kind: 'endpoint', id: 'ep_http', change: 'published', fields: ['assistant'], version: 2 },
    ])
    expect(await target()).toEqual(['whsec_edited', url])
  })

  test('is re-encrypted together with the URL queries of all versions', async () => {
    await apply({ assistant: { type: 'http', url: 'https://agents.example.com/?v=2' } })
    // The secret, its value from the file, and the queries of two versions.
    const count = { unreadable: 0, unreadable_ids: [] }
    expect(answerOf(await reencryptSecrets(under(NEW, OLD)))).toEqual({ reencrypted: 4, current: 0, ...count })
    expect(answerOf(await reencryptSecrets(under(NEW)))).toEqual({ reencrypted: 0, current: 4, ...count })
    expect(await target(under(NEW))).toEqual(['whsec_initial', 'https://agents.example.com/?v=2'])
    expect(
      (await apply({ assistant: { type: 'http', url: 'https://agents.example.com/?v=2' } }, under(NEW))).changes,
    ).toEqual([])
  })

  test('is removed when the overlap after its rotation has passed', async () => {
    await rotate(60)
    expect((await target())[0]).toBe('whsec_initial')
    clock.pass(60_001)
    const sweep = createSweeps(under(OLD)).find(({ name }) => name === 'secrets from before a rotation')
    await sweep?.run(new AbortController().signal)
    expect((await stored()).signing?.previousSecret).toBeNull()
  })

  test('must differ from the secret of every incoming webhook', async () => {
    const webhook = { ...MESSAGE_BY_KEY, integration_id: 'wh_a' }
    expect(codeOf(await createWebhook(under(OLD), { ...webhook, secret: 'whsec_initial' }))).toBe('INVALID_REQUEST')
    await createWebhook(under(OLD), { ...webhook, secret: 'whsec_of_the_webhook' })
    expect((await apply({ secret: 'whsec_of_the_webhook' })).faults).toMatchObject([
      { pointer: expect.stringMatching(/secret$/) },
    ])
  })

  test('is required for an http assistant, refused for others, and needs a complete URL and GATEWAY_SECRET_KEY', async () => {
    const faultsOf = async (entry: object, context?: GatewayContext) =>
      (await apply(entry, context)).faults.map(({ pointer, message }) => `${pointer.split('/').at(-1)} ${message}`)
    expect(await faultsOf({ secret: undefined })).toEqual([expect.stringMatching(/^secret must be given/)])
    expect(await faultsOf({ assistant: { type: 'echo' } })).toEqual([expect.stringMatching(/^secret is only allowed/)])
    const masked = { type: 'http', url: 'https://agents.example.com/run?***' }
    expect(await faultsOf({ assistant: masked })).toEqual([expect.stringMatching(/^url must contain its whole query/)])
    expect(await faultsOf({}, { ...under(OLD), secrets: null })).toEqual([
      expect.stringMatching(/^assistant needs GATEWAY_SECRET_KEY/),
    ])
  })
})
