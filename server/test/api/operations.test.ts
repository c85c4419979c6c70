import { expect, test } from 'vitest'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways(
  'the operation of a cancel or a reset',
  (running) => {
    const device = playDevice(running)
    const begin = async () => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation()).body.conversation_id }
    }
    const start = async () => {
      const { client, id } = await begin()
      const run = await device.take((await client.send(id, { text: 'x' })).body.run_id)
      return {
        client,
        id,
        run,
        cancel: async (key?: string) => (await client.cancel(run.runId, key)).body,
        /** The states of the run and of an operation. */
        states: async (operationId: string) => [
          (await client.run(run.runId)).body.state,
          (await client.operation(operationId)).body.state,
        ],
      }
    }

    test('waits for a device that is away, also after a stop that was not confirmed [CANCEL-09]', async () => {
      const { run, cancel, states } = await start()
      await cancel()
      await running.passTime(SETTINGS.stopMs)
      const { operation_id: operationId } = await cancel()
      expect(await states(operationId)).toEqual(['reconciling', 'waiting_device'])
      await device.renew(run)
      expect(await states(operationId)).toEqual(['reconciling', 'stopping'])
    })

    test('that waits for a device ends when the run does: as succeeded [OPER-15]', async () => {
      const { cancel, states } = await start()
      await running.passTime(SETTINGS.leaseMs)
      running.clock.pass(1000)
      const { operation_id: operationId } = await cancel()
      // The reconciliation is over a second before the stop window is.
      await running.passTime(SETTINGS.reconcileMs - 1000)
      expect(await states(operationId)).toEqual(['interrupted', 'succeeded'])
    })

    test('that waits for a device fails when the stop window is over first [OPER-11, OPER-15]', async () => {
      const { run, cancel, states } = await start()
      await running.passTime(SETTINGS.leaseMs - 1)
      await device.letGo(run)
      await running.passTime(1)
      const { operation_id: operationId } = await cancel()
      expect(await states(operationId)).toEqual(['cancelling', 'waiting_device'])
      await running.passTime(SETTINGS.stopMs)
      expect(await states(operationId)).toEqual(['reconciling', 'failed'])
    })

    test('waits for a device that is away; once it is back the run is being stopped [CANCEL-09, OPER-09, OPER-15]', async () => {
      const { client, run, cancel, states } = await start()
      await running.passTime(SETTINGS.leaseMs)
      const control = await cancel()
      expect(control.state).toBe('waiting_device')
      expect(await states(control.operation_id)).toEqual(['reconciling', 'waiting_device'])
      await device.beat()
      await device.renew(run)
      expect(await states(control.operation_id)).toEqual(['cancelling', 'stopping'])
      await device.report(run, { state: 'cancelled' })
      expect(await states(control.operation_id)).toEqual(['cancelled', 'succeeded'])
      expect((await client.run(run.runId)).body.delivery_state).toBe('device_received')
    })
  },
  WITHOUT_WORKER,
)
