import { expect, test } from 'vitest'
import { ended, eventually, script } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { publishService } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'

/** The lease exceeds the time limit of the run, so that it does not expire when the clock moves between heartbeats. */
const settings = { ...SETTINGS, leaseMs: 86_400_000, deviceOfflineMs: 86_400_000 }

onGateways(
  'a run that succeeds after its time limit',
  (running) => {
    test('fails with RUN_TIMEOUT and keeps the output from before the limit [RUN-45]', async () => {
      const service = await publishService(running, { assistant: { type: 'script' }, max_run_seconds: 7 })
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
