import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { describe, expect, test } from 'vitest'
import { ended, eventually, script } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { onGateways } from '../support/running-gateway.ts'

/** A lease that outlasts every time to run here, however far the clock is moved between two beats. */
const settings = { ...SETTINGS, leaseMs: 86_400_000, deviceOfflineMs: 86_400_000 }
const TIMED_OUT = { code: 'RUN_TIMEOUT', message: expect.any(String), retryable: false }

onGateways(
  'the time of a run',
  (running) => {
    const publish = async (maxRunSeconds: number): Promise<string> => {
      const { status, body } = await running.operator.request<Endpoint>('POST', '/admin/v1/apps/app_test/endpoints', {
        body: { device_id: 'dev_test', assistant: { type: 'script' }, max_run_seconds: maxRunSeconds },
      })
      expect([status, body.max_run_seconds]).toEqual([201, maxRunSeconds])
      return body.endpoint_id
    }

    describe('that is over', () => {
      test('ends a run that ignores the stop when its window is over, and frees its slot and its conversation [RUN-45]', async () => {
        const { client, id, runId } = await play(
          running,
          await publish(7),
          { ignore_stop: true },
          { delta: 'half' },
          { hang: true },
        )
        const next = (await client.send(id, { text: 'next' })).body.run_id
        await running.passTime(7000)
        await running.passTime(SETTINGS.stopMs - 1)
        expect((await client.run(runId)).body.state).toBe('cancelling')
        await running.passTime(1)
        expect((await client.run(runId)).body).toMatchObject({ state: 'failed', result: { error: TIMED_OUT } })
        expect((await ended(client, next)).state).toBe('succeeded')
      })

      test('makes a success that comes too late none [RUN-45]', async () => {
        const { client, runId } = await play(
          running,
          await publish(7),
          { ignore_stop: true },
          { delta: 'half' },
          { sleep_ms: 300 },
          { succeed: { text: 'done' } },
        )
        await running.passTime(7000)
        expect(await ended(client, runId)).toMatchObject({
          state: 'failed',
          result: { text: 'half', error: TIMED_OUT },
        })
      })
    })
  },
  { settings },
)

/** A run of a script, once it has put something out. */
const play = async (running: RunningGateway, endpointId: string, ...steps: Record<string, unknown>[]) => {
  const client = running.client()
  const { conversation_id: id } = (await client.createConversation({ endpoint_id: endpointId })).body
  const { run_id: runId } = (await client.send(id, script(...steps))).body
  await eventually(
    () => client.snapshot(id),
    ({ body }) => body.messages.length === 2,
  )
  return { client, id, runId }
}
