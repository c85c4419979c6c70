import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { ApprovalList } from '@conversation-gateway/openapi/generated/admin-closed'
import type { Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { expect, test } from 'vitest'
import type { ClaimedRun } from '../../src/store/claims.ts'
import type { Client } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
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
    const lapseLease = () => running.passTime(SETTINGS.leaseMs)

    test('is read as its record [RUN-01, RUN-05, RUN-06, RUN-07, RUN-08, RUN-12, RUN-14]', async () => {
      const { client, id } = await begin()
      const { run_id, message_id } = await send(client, id)
      const createdAt = running.clock.now().toISOString()
      const queued: Run = {
        run_id,
        message_id,
        conversation_id: id,
        generation: 1,
        state: 'queued',
        delivery_state: 'waiting_device',
        created_at: createdAt,
        updated_at: createdAt,
        result: null,
      }
      const { status, body } = await client.run(run_id)
      expect(status).toBe(200)
      expect(body).toEqual(queued)
      await running.passTime(1000)
      const run = await device.take(run_id)
      const taken = {
        ...queued,
        state: 'running',
        delivery_state: 'device_received',
        updated_at: running.clock.now().toISOString(),
      }
      expect((await client.run(run_id)).body).toEqual(taken)
      await device.report(run, { state: 'succeeded', text: 'done' })
      expect((await client.run(run_id)).body).toEqual({ ...taken, state: 'succeeded', result: { text: 'done' } })
    })

    test('belongs to one message, and its ID serves for its result, its events and its cancellation [RUN-02]', async () => {
      const { client, id } = await begin()
      const sent = [await send(client, id), await send(client, id), await send(client, id)]
      const { runs } = (await client.snapshot(id)).body
      expect(runs.map(({ run_id }) => run_id)).toEqual(sent.map(({ run_id }) => run_id))
      expect(new Set(sent.flatMap(({ run_id, message_id }) => [run_id, message_id])).size).toBe(6)
      for (const { run_id, message_id } of sent) {
        expect((await client.run(run_id)).body).toMatchObject({ message_id, conversation_id: id })
        const stream = await client.runEvents(run_id)
        await client.cancel(run_id)
        const events = await stream.until(({ length }) => length === 2)
        stream.close()
        expect(events.map((event) => [event.run_id, event.type])).toEqual([
          [run_id, 'run.updated'],
          [run_id, 'run.cancelled'],
        ])
      }
    })

    test('is admitted as queued while an earlier one executes, and starts after it, in order of admission [RUN-03, RUN-04, RUN-42, RUN-43]', async () => {
      const { client, id } = await begin()
      const sent: string[] = []
      for (let count = 0; count < 4; count += 1) sent.push((await send(client, id)).run_id)
      const states = async () => (await client.snapshot(id)).body.runs.map(({ state }) => state)
      const ends: RunOutcome[] = [{ state: 'succeeded' }, failure(), { state: 'interrupted' }, { state: 'succeeded' }]
      for (const [index, outcome] of ends.entries()) {
        const own = (await device.takeAll()).filter(({ conversationId }) => conversationId === id)
        expect(own.map(({ runId }) => runId)).toEqual(sent.slice(index, index + 1))
        expect((await device.takeAll()).filter(({ conversationId }) => conversationId === id)).toEqual([])
        expect(await states()).toEqual([
          ...ends.slice(0, index).map(({ state }) => state),
          'running',
          ...ends.slice(index + 1).map(() => 'queued'),
        ])
        const [run] = own
        if (run !== undefined) await device.report(run, outcome)
      }
    })

    test('occupies its conversation in every state of execution [RUN-42]', async () => {
      const { client, id, run, read } = await start()
      const next = (await send(client, id)).run_id
      const enter: readonly (readonly [Run['state'], () => Promise<unknown>])[] = [
        ['waiting_approval', () => device.ask(run, 'May I?')],
        ['cancelling', () => client.cancel(run.runId)],
        ['reconciling', lapseLease],
      ]
      for (const [state, bring] of enter) {
        await bring()
        expect((await read()).state).toBe(state)
        expect((await device.takeAll()).map(({ runId }) => runId)).not.toContain(next)
      }
      expect((await client.run(next)).body.state).toBe('queued')
    })

    test('that waits for an approval is not complete, and only the operator decides it [RUN-15, RUN-16]', async () => {
      const { client, run, read } = await start()
      const approvalId = await device.ask(run, 'May I?')
      const decide = (by: Client) =>
        by.request('POST', `/admin/v1/approvals/${approvalId}/decision`, { body: { decision: 'approve' } })
      expect(await read()).toMatchObject({ state: 'waiting_approval', result: null })
      expect(Object.values(OPERATIONS).filter(({ path }) => /approv|decision/.test(path))).toEqual([])
      expect((await decide(client)).status).toBe(401)
      expect(await read()).toMatchObject({ state: 'waiting_approval', result: null })
      const pending = '/admin/v1/approvals?app_id=app_test&state=pending'
      const { approvals } = (await running.operator.request<ApprovalList>('GET', pending)).body
      expect(approvals.map(({ approval_id, run_id }) => [approval_id, run_id])).toContainEqual([approvalId, run.runId])
      expect((await decide(running.operator)).status).toBe(200)
      expect((await read()).state).toBe('running')
    })

    test('is cancelling from the request of a stop to its end, without a terminal state in between [RUN-17, RUN-27]', async () => {
      const { client, run, read } = await start()
      const { status } = await client.cancel(run.runId)
      expect(status).toBe(202)
      for (let passed = 0; passed < 3; passed += 1) {
        await device.renew(run)
        await running.passTime(10_000)
        expect(await read()).toMatchObject({ state: 'cancelling', result: null })
      }
      await device.report(run, { state: 'cancelled' })
      expect((await read()).state).toBe('cancelled')
    })

    test('is reconciling while nobody knows what became of it [RUN-18]', async () => {
      const { run, read } = await start()
      await lapseLease()
      expect(await read()).toMatchObject({ state: 'reconciling', delivery_state: 'device_received', result: null })
      await device.renew(run)
      expect((await read()).state).toBe('running')
    })

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

    test('shows one of the ten states, by these names [RUN-11]', async () => {
      const seen = new Set<string>()
      const { client, id, run, read } = await start()
      const note = async (runId = run.runId) => seen.add((await client.run(runId)).body.state)
      await note((await send(client, id)).run_id)
      await note()
      await device.ask(run, 'May I?')
      await note()
      await client.cancel(run.runId)
      await note()
      await lapseLease()
      await note()
      expect((await read()).state).toBe('reconciling')
      for (const { reach } of ends) await note((await reach()).runId)
      expect([...seen].sort()).toEqual(
        [
          ...['queued', 'running', 'waiting_approval', 'cancelling', 'reconciling'],
          ...['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'],
        ].sort(),
      )
    })

    test('is waiting_device until it is taken and device_received from then on, in any state [RUN-06, RUN-33, RUN-36]', async () => {
      const deliveryOf = async (client: Client, runId: string) => {
        const { state, delivery_state } = (await client.run(runId)).body
        return [state, delivery_state]
      }
      const { client, run } = await start()
      const received = (state: string) => [state, 'device_received']
      expect(await deliveryOf(client, run.runId)).toEqual(received('running'))
      await device.ask(run, 'May I?')
      expect(await deliveryOf(client, run.runId)).toEqual(received('waiting_approval'))
      await client.cancel(run.runId)
      expect(await deliveryOf(client, run.runId)).toEqual(received('cancelling'))
      await lapseLease()
      expect(await deliveryOf(client, run.runId)).toEqual(received('reconciling'))
      await device.report(run, { state: 'cancelled' })
      expect(await deliveryOf(client, run.runId)).toEqual(received('cancelled'))
      const never = await queued()
      expect(await deliveryOf(client, never.runId)).toEqual(['queued', 'waiting_device'])
      await client.cancel(never.runId)
      expect(await deliveryOf(client, never.runId)).toEqual(['cancelled', 'waiting_device'])
    })

    test('that has not started by start_before never starts; one that has goes on past it [RUN-31, RUN-32]', async () => {
      const startBefore = new Date(running.clock.now().getTime() + 10_000).toISOString()
      const body = { expected_generation: 1, input: { text: 'x' }, start_before: startBefore }
      const [one, two] = [await begin(), await begin()]
      const runOf = async ({ client, id }: typeof one): Promise<string> =>
        Object((await client.post(`/api/v1/conversations/${id}/messages`, body)).body).run_id
      const run = await device.take(await runOf(one))
      const late = await runOf(two)
      running.clock.pass(10_000)
      // Whether or not anybody has noticed yet that its time is over.
      expect((await device.takeAll()).map(({ runId }) => runId)).not.toContain(late)
      await device.renew(run)
      await running.passTime(10_000)
      expect((await two.client.run(late)).body.state).toBe('expired')
      expect((await one.client.run(run.runId)).body.state).toBe('running')
      await device.report(run, { state: 'succeeded', text: 'done' })
      expect((await one.client.run(run.runId)).body).toMatchObject({ state: 'succeeded', result: { text: 'done' } })
    })
  },
  WITHOUT_WORKER,
)
