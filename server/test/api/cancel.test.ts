import { expect, test } from 'vitest'
import { completed, ended, eventually, script } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { onGateways } from '../support/running-gateway.ts'

/** A lease that outlasts the stop window, however far the clock is moved between two heartbeats. */
const settings = { ...SETTINGS, leaseMs: 600_000 }

onGateways(
  'cancelling a run',
  (running) => {
    test('a run that has not started is cancelled at once [CANCEL-04, CANCEL-07, RUN-26]', async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const first = await client.send(id, script({ hang: true }))
      const second = await client.send(id, { text: 'never started' })
      const cancel = await client.cancel(second.body.run_id)
      expect(cancel).toMatchObject({
        status: 202,
        body: { state: 'succeeded', ref: { conversation_id: id, generation: 1 } },
      })
      expect((await client.run(second.body.run_id)).body).toMatchObject({ state: 'cancelled', result: null })
      await client.cancel(first.body.run_id)
      expect((await ended(client, first.body.run_id)).state).toBe('cancelled')
    })

    test('a started run is stopping until its device confirms [CANCEL-08, CANCEL-10, RUN-27]', async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const sent = await client.send(id, script({ stop_delay_ms: 200 }, { delta: 'half' }, { hang: true }))
      await eventually(
        () => client.snapshot(id),
        ({ body }) => body.messages.length === 2,
      )
      const cancel = await client.cancel(sent.body.run_id)
      expect(cancel.body.state).toBe('stopping')
      expect((await client.run(sent.body.run_id)).body.state).toBe('cancelling')
      expect(await completed(client, cancel.body.operation_id)).toMatchObject({ state: 'succeeded' })
      expect((await client.run(sent.body.run_id)).body).toMatchObject({ state: 'cancelled', result: { text: 'half' } })
    })

    test('a stop that is not confirmed within 60 seconds fails, and the run is reconciling [CANCEL-12, CANCEL-13]', async () => {
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const sent = await client.send(id, script({ ignore_stop: true }, { hang: true }))
      await eventually(
        () => client.run(sent.body.run_id),
        ({ body }) => body.state === 'running',
      )
      const cancel = await client.cancel(sent.body.run_id)
      await running.passTime(59_000)
      expect((await client.operation(cancel.body.operation_id)).body.state).toBe('stopping')
      await running.passTime(1_000)
      expect((await client.operation(cancel.body.operation_id)).body.state).toBe('failed')
      expect((await client.run(sent.body.run_id)).body.state).toBe('reconciling')
      await running.passTime(60_000)
      expect((await client.run(sent.body.run_id)).body.state).toBe('interrupted')
    })
  },
  { settings },
)
