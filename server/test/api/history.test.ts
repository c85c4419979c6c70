import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { failure, playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const settings = { ...SETTINGS, queuedPerConversation: 200 }

onGateways(
  'message history',
  (running) => {
    const device = playDevice(running)
    const begin = async () => {
      await device.beat()
      const client = running.client()
      return { client, id: (await client.createConversation()).body.conversation_id }
    }
    const page = async (client: Client, id: string, query = '') => (await client.history(id, query)).body.messages

    test('marks an assistant message as partial as long as it is unfinished, and when it stays so [HIST-17]', async () => {
      const { client, id } = await begin()
      for (const [outcome, stays] of [
        [{ state: 'succeeded' }, false],
        [failure(), true],
      ] as const) {
        const run = await device.take((await client.send(id, { text: 'x' })).body.run_id)
        await device.stream(run, 'half ', 'an answer')
        const answer = async () => (await page(client, id)).at(-1)?.content
        expect(await answer()).toEqual({ text: 'half an answer', partial: true })
        await device.report(run, outcome)
        expect(await answer()).toEqual({ text: 'half an answer', partial: stays })
      }
    })
  },
  { ...WITHOUT_WORKER, settings },
)
