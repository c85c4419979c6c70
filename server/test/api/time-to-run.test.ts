import type { Endpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { describe, expect, test } from 'vitest'
import { decideApproval } from '../../src/gateway/admin/approvals.ts'
import { answerOf } from '../admin/support.ts'
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
      test('stops the run as a cancel would, which ends as failed with RUN_TIMEOUT and what it put out [RUN-44]', async () => {
        const { client, runId } = await play(running, await publish(7), { delta: 'half' }, { hang: true })
        await running.passTime(6999)
        expect((await client.run(runId)).body.state).toBe('running')
        await running.passTime(1)
        const run = await ended(client, runId)
        expect(run).toMatchObject({ state: 'failed', result: { text: 'half', error: TIMED_OUT } })
        const stream = await client.runEvents(runId)
        const events = await stream.until((seen) => seen.some(({ type }) => type === 'run.failed'))
        stream.close()
        expect(events.slice(-2).map(({ type, payload }) => ({ type, payload }))).toEqual([
          { type: 'run.updated', payload: { state: 'cancelling', delivery_state: 'device_received' } },
          { type: 'run.failed', payload: { state: 'failed', error: TIMED_OUT, result: run.result } },
        ])
      })

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

    test('does not pass while it waits for an approval [RUN-46]', async () => {
      const { client, runId } = await play(
        running,
        await publish(7),
        { delta: 'a' },
        { approval: 'May I?' },
        { hang: true },
      )
      const stream = await client.runEvents(runId)
      const events = await stream.until((seen) => seen.some(({ type }) => type === 'approval.required'))
      stream.close()
      const asked = events.find(({ type }) => type === 'approval.required')?.payload
      await running.passTime(3_600_000)
      expect((await client.run(runId)).body.state).toBe('waiting_approval')
      const approvalId = asked !== undefined && 'approval_id' in asked ? asked.approval_id : ''
      answerOf(await decideApproval(running.gateway.context, approvalId, { decision: 'approve' }))
      await running.passTime(6999)
      expect((await client.run(runId)).body.state).toBe('running')
      await running.passTime(1)
      expect((await ended(client, runId)).result?.error).toEqual(TIMED_OUT)
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
