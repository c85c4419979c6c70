import { expect, test } from 'vitest'
import { createCallback, rotateCallbackSecret } from '../../src/gateway/admin/callbacks/callbacks.ts'
import { createWebhook, rotateWebhookSecret } from '../../src/gateway/admin/webhooks.ts'
import { createSweeps } from '../../src/gateway/retention.ts'
import { findCallback } from '../../src/store/admin/callbacks.ts'
import { findWebhook } from '../../src/store/admin/webhooks.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, newService, testContext } from '../support/gateway-fixture.ts'
import { MESSAGE_BY_KEY } from '../support/webhook-sender.ts'

eachDatabase('the previous secret after a rotation', (database) => {
  test('is kept until the end of its overlap and then removed', async () => {
    const clock = createTestClock()
    const callbackTargets = { hosts: new Set(['orders.example.com']), devOrigins: new Set<string>() }
    const context = { ...testContext(database.db, clock), callbackTargets }
    const { appId, endpointId } = await newService(database.db, clock.now())
    const of = { app_id: appId, endpoint_id: endpointId }
    const url = 'https://orders.example.com/events'
    await createWebhook(context, { ...MESSAGE_BY_KEY, ...of, integration_id: 'wh_swept' })
    await createCallback(context, { ...of, callback_id: 'cb_swept', url, events: ['run.completed'] })
    await rotateWebhookSecret(context, 'wh_swept', 60)
    await rotateCallbackSecret(context, 'cb_swept', 60)
    const sweep = createSweeps(context).find(({ name }) => name === 'secrets from before a rotation')
    const kept = async (): Promise<boolean[]> => {
      await sweep?.run(new AbortController().signal)
      const rows = [await findWebhook(database.db, 'wh_swept'), await findCallback(database.db, 'cb_swept')]
      return rows.map((row) => row !== null && row.previousSecret !== null)
    }
    clock.pass(60_000)
    expect(await kept()).toEqual([true, true])
    clock.pass(1)
    expect(await kept()).toEqual([false, false])
  })
})
