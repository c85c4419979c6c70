import type { Message } from '@conversation-gateway/openapi/generated/gateway-closed'
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
    const cursors = (messages: readonly Message[]) => messages.map(({ cursor }) => cursor)
    const page = async (client: Client, id: string, query = '') => (await client.history(id, query)).body.messages

    test('answers full records: submitted input is the user’s, output the assistant’s [HIST-01, HIST-13, HIST-14, HIST-15, HIST-16, HIST-18]', async () => {
      const { client, id } = await begin()
      const first = (await client.send(id, { text: 'first' })).body
      const second = (await client.send(id, { text: 'second', data: { order: 7 } })).body
      const third = (await client.send(id, { data: { only: 'data' } })).body
      const run = await device.take(first.run_id)
      await device.say(run, 'an answer')
      const created = running.clock.now().toISOString()
      const record = (sent: typeof first, role: string, content: object) => ({
        cursor: expect.any(Number),
        message_id: sent.message_id,
        conversation_id: id,
        run_id: sent.run_id,
        generation: 1,
        role,
        created_at: created,
        content,
      })
      const { status, body } = await client.history(id)
      expect(status).toBe(200)
      expect(body).toEqual({
        messages: [
          record(first, 'user', { text: 'first' }),
          record(second, 'user', { text: 'second', data: { order: 7 } }),
          record(third, 'user', { data: { only: 'data' } }),
          record({ ...first, message_id: expect.any(String) }, 'assistant', { text: 'an answer', partial: false }),
        ],
      })
      for (const cursor of cursors(body.messages)) expect(Number.isInteger(cursor) && cursor > 0).toBe(true)
    })

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

    test('holds all generations, or the one that is asked for, also after a reset [HIST-02, HIST-03, HIST-12]', async () => {
      const { client, id } = await begin()
      await client.send(id, { text: 'old' })
      const before = await page(client, id)
      await client.reset(id, 1, 'cancel_and_reset')
      await client.send(id, { text: 'new' }, 2)
      const texts = async (query: string) => (await page(client, id, query)).map(({ content }) => content.text)
      expect(await texts('')).toEqual(['old', 'new'])
      expect(await page(client, id, '?generation=1')).toEqual(before)
      expect(await texts('?generation=2')).toEqual(['new'])
      expect(await texts('?generation=3')).toEqual([])
      for (const generation of ['0', '-1', '1.5', 'x', ''])
        expect((await client.history(id, `?generation=${generation}`)).status).toBe(400)
    })

    test('is read in pages of at most 100, 50 by default, backwards without a gap or a repeat to an empty one [HIST-04, HIST-05, HIST-06, HIST-07, HIST-09, HIST-10, HIST-11, LIMIT-13]', async () => {
      const { client, id } = await begin()
      for (let sent = 0; sent < 120; sent += 20)
        await Promise.all(Array.from({ length: 20 }, () => client.send(id, { text: 'x' })))
      const newest = cursors(await page(client, id, '?limit=100'))
      expect(newest).toEqual([...new Set(newest)].sort((a, b) => a - b))
      expect(cursors(await page(client, id))).toEqual(newest.slice(-50))
      for (const [limit, size] of [
        [1, 1],
        [101, 100],
        [200, 100],
      ] as const)
        expect(cursors(await page(client, id, `?limit=${limit}`))).toEqual(newest.slice(-size))
      for (const limit of ['0', '201', '-1', '1.5', 'x'])
        expect((await client.history(id, `?limit=${limit}`)).status).toBe(400)
      for (const before of ['0', '-1', '1.5', 'x', 'msg_1'])
        expect((await client.history(id, `?before=${before}`)).status).toBe(400)

      const pages: number[][] = []
      let query = '?limit=37'
      for (;;) {
        const read = cursors(await page(client, id, query))
        expect(read).toEqual([...read].sort((a, b) => a - b))
        pages.unshift(read)
        const [smallest] = read
        if (smallest === undefined) break
        query = `?limit=37&before=${smallest}`
      }
      expect(pages.map(({ length }) => length)).toEqual([0, 9, 37, 37, 37])
      const all = pages.flat()
      expect(all.slice(-100)).toEqual(newest)
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b))
      expect(all).toHaveLength(120)
    })
  },
  { ...WITHOUT_WORKER, settings },
)
