import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { ClaimedRun } from '../../src/store/claims.ts'
import type { Client } from '../support/client.ts'
import { failure, playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways(
  'a run',
  (running) => {
    const device = playDevice(running)
    const begin = async () => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation()).body.conversation_id }
    }
    const send = async (client: Client, id: string) => (await client.send(id, { text: 'hello' })).body
    const start = async () => {
      const { client, id } = await begin()
      const run = await device.take((await send(client, id)).run_id)
      return { client, id, run, read: async () => (await client.run(run.runId)).body }
    }

    const queued = async (): Promise<{ client: Client; runId: string }> => {
      const { client, id } = await begin()
      return { client, runId: (await send(client, id)).run_id }
    }
    const report = (outcome: RunOutcome) => async () => {
      const { client, run } = await start()
      await device.stream(run, 'half')
      if (outcome.state === 'cancelled') await client.cancel(run.runId)
      await device.report(run, outcome)
      return { client, runId: run.runId, run }
    }
    const { error } = failure()
    const ends: readonly {
      state: Run['state']
      result: Run['result']
      reach: () => Promise<{ client: Client; runId: string; run?: ClaimedRun }>
      citation: string
    }[] = [
      {
        state: 'succeeded',
        result: { text: 'whole', resource_ids: ['res_1'] },
        reach: report({ state: 'succeeded', text: 'whole', resourceIds: ['res_1'] }),
        citation: '[RUN-09, RUN-20, RUN-41]',
      },
      {
        state: 'failed',
        result: { text: 'half', error },
        reach: report(failure()),
        citation: '[RUN-09, RUN-10, RUN-21, RUN-34, RUN-41]',
      },
      {
        state: 'cancelled',
        result: { text: 'half' },
        reach: report({ state: 'cancelled' }),
        citation: '[RUN-22, RUN-41]',
      },
      {
        state: 'cancelled',
        result: null,
        reach: async () => {
          const waiting = await queued()
          await waiting.client.cancel(waiting.runId)
          return waiting
        },
        citation: '[RUN-26]',
      },
      {
        state: 'interrupted',
        result: { text: 'half' },
        reach: report({ state: 'interrupted' }),
        citation: '[RUN-23, RUN-41]',
      },
      {
        state: 'expired',
        result: null,
        reach: async () => {
          const waiting = await queued()
          await running.passTime(5 * 60_000)
          return waiting
        },
        citation: '[RUN-24, RUN-41]',
      },
    ]
    test.each(ends)(
      'ends as $state, with its result, and stays so whatever comes after [RUN-29, RUN-30] $citation',
      async ({ state, result, reach }) => {
        const { client, runId, run } = await reach()
        const { body: end } = await client.run(runId)
        expect(end).toMatchObject({ state, result })
        if (run !== undefined)
          for (const late of [{ state: 'succeeded', text: 'late' }, failure(), { state: 'interrupted' }] as const)
            expect(await device.report(run, late)).toBe(false)
        expect(await client.cancel(runId)).toMatchObject({ status: 202, body: { state: 'succeeded' } })
        await running.passTime(24 * 3_600_000)
        await device.beat()
        expect((await device.takeAll()).map((taken) => taken.runId)).not.toContain(runId)
        expect((await client.run(runId)).body).toEqual(end)
      },
    )
  },
  WITHOUT_WORKER,
)
