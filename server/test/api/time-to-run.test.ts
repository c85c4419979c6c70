import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { expect, test } from 'vitest'
import { ended, eventually, script } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { onGateways } from '../support/running-gateway.ts'

/** A lease that outlasts every time to run here, however far the clock is moved between two beats. */
const settings = { ...SETTINGS, leaseMs: 86_400_000, deviceOfflineMs: 86_400_000 }

onGateways(
  'a success after the time of its run is over',
  (running) => {
    test('is none: the run fails with RUN_TIMEOUT and what it put out in time [RUN-45]', async () => {
      const { body: service } = await running.operator.request<Endpoint>('POST', '/admin/v1/apps/app_test/endpoints', {
        body: { device_id: 'dev_test', assistant: { type: 'script' }, max_run_seconds: 7 },
      })
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation({ endpoint_id: service.endpoint_id })).body
      const steps = [{ ignore_stop: true }, { delta: 'half' }, { sleep_ms: 300 }, { succeed: { text: 'done' } }]
      const { run_id: runId } = (await client.send(id, script(...steps))).body
      await eventually(
        () => client.snapshot(id),
        ({ body }) => body.messages.length === 2,
      )
      await running.passTime(7000)
      const error = { code: 'RUN_TIMEOUT', message: expect.any(String), retryable: false }
      expect(await ended(client, runId)).toMatchObject({ state: 'failed', result: { text: 'half', error } })
    })
  },
  { settings },
)
