import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

/** Serves only `ep_second`. */
const DEVICE = 'dev_second'

onGateways(
  'a device',
  (running) => {
    const device = playDevice(running, DEVICE)
    const begin = async () => {
      await device.beat()
      const client = running.client({ subject: randomUUID() })
      const id = (await client.createConversation({ endpoint_id: 'ep_second' })).body.conversation_id
      return { client, id }
    }
    const start = async () => {
      const { client, id } = await begin()
      const run = await device.take((await client.send(id, { text: 'x' })).body.run_id)
      return { client, id, run, stateOf: async (runId = run.runId) => (await client.run(runId)).body.state }
    }

    test('can have several workers, of which exactly one executes each run [DEV-10]', async () => {
      const { client } = await begin()
      const runIds: string[] = []
      for (let count = 0; count < 8; count += 1) {
        const { body } = await client.createConversation({ endpoint_id: 'ep_second' })
        runIds.push((await client.send(body.conversation_id, { text: 'x' })).body.run_id)
      }
      const workers = ['one', 'two', 'three'].map((name) => playDevice(running, DEVICE, name))
      const taken = (await Promise.all(workers.map((worker) => worker.takeAll()))).flat()
      const again = (await Promise.all(workers.map((worker) => worker.takeAll()))).flat()
      const own = [...taken, ...again].map(({ runId }) => runId).filter((runId) => runIds.includes(runId))
      expect(own.sort()).toEqual(runIds.sort())
    })

    test('keeps a run while its worker renews the lease; another worker cannot renew it [DEV-11]', async () => {
      const { run, stateOf } = await start()
      for (let renewals = 0; renewals < 3; renewals += 1) {
        await running.passTime(SETTINGS.leaseMs - 1)
        expect(await device.renew(run)).toMatchObject([{ runId: run.runId, state: 'running' }])
      }
      expect(await playDevice(running, DEVICE, 'another worker').renew(run)).toEqual([])
      await running.passTime(SETTINGS.leaseMs - 1)
      expect(await stateOf()).toBe('running')
      await running.passTime(1)
      expect(await stateOf()).toBe('reconciling')
    })

    test('continues a run whose lease expired if its worker renews the lease in time [DEV-13]', async () => {
      const { run, stateOf } = await start()
      await running.passTime(SETTINGS.leaseMs)
      expect(await device.look(run)).toMatchObject([{ state: 'reconciling', stopWanted: false }])
      expect(await device.renew(run)).toMatchObject([{ state: 'running', stopWanted: false }])
      expect(await stateOf()).toBe('running')
    })
  },
  WITHOUT_WORKER,
)
