import { expect, test } from 'vitest'
import { KEYS } from '../support/bootstrap-file.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways(
  'creating a conversation',
  (running) => {
    const device = playDevice(running)
    test('answers 201 with its record, which says whose it is and what it is bound to [CONV-01, CONV-13, CONV-14, CONV-15, CONV-16, CONV-17, CONV-18, CONV-20, CONV-21, CONV-25, VER-02]', async () => {
      const client = running.client({ subject: 'Customer 4711 %20' })
      const { status, body } = await client.createConversation({
        endpoint_id: 'ep_echo',
        conversation_key: 'Order 1 / ü',
      })
      expect(status).toBe(201)
      expect(body).toEqual({
        conversation_id: expect.stringMatching(/^conv_/),
        owner_id: 'owner_test',
        app_id: 'app_test',
        subject: 'Customer 4711 %20',
        endpoint_id: 'ep_echo',
        binding_version: 1,
        generation: 1,
        business_key: 'Order 1 / ü',
        state: 'active',
        created_at: running.clock.now().toISOString(),
      })
      const other = await running.client({ key: KEYS.otherApp }).createConversation({ endpoint_id: 'ep_other' })
      expect(other.body).toMatchObject({ owner_id: 'owner_other', app_id: 'app_other', endpoint_id: 'ep_other' })
    })

    test('without a conversation_key makes one without business association, any number of times [CONV-06, CONV-19]', async () => {
      const client = running.client()
      const made = [await client.createConversation(), await client.createConversation()]
      for (const { status, body } of made) {
        expect(status).toBe(201)
        expect(body).not.toHaveProperty('business_key')
      }
      expect(new Set(made.map(({ body }) => body.conversation_id)).size).toBe(2)
    })

    test('needs a service that is published for this application; nothing else makes a conversation [CONV-02, CONV-03, CONV-13]', async () => {
      const client = running.client()
      const before = await countRows(running.gateway.context.db)
      for (const body of [{}, { endpoint_id: '' }, { endpoint_id: 7 }, { endpoint_id: null }])
        expect(await client.createConversation(body)).toMatchObject({
          status: 400,
          body: {
            code: 'INVALID_REQUEST',
            errors: expect.arrayContaining([expect.objectContaining({ pointer: '/endpoint_id' })]),
          },
        })
      for (const endpoint_id of ['ep_other', 'ep_nobody', 'dev_test', 'EP_ECHO'])
        expect(await client.createConversation({ endpoint_id })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
      expect(await countRows(running.gateway.context.db)).toEqual(before)
    })

    test('takes a conversation_key of 1 to 256 characters without surrounding white space, and keeps it as it is [CONV-04, CONV-05, CONV-18, LIMIT-05]', async () => {
      const client = running.client({ subject: 'keys' })
      const create = (conversation_key: unknown) =>
        client.createConversation({ endpoint_id: 'ep_echo', conversation_key })
      for (const key of ['k', 'k'.repeat(256), '\u{1f600}'.repeat(256), 'in side', "'; drop table conversations; --"])
        expect(await create(key)).toMatchObject({ status: 201, body: { business_key: key } })
      for (const key of ['', 'k'.repeat(257), ' k', 'k ', '\u00a0', 7, null])
        expect(await create(key)).toMatchObject({
          status: 400,
          body: {
            code: 'INVALID_REQUEST',
            errors: expect.arrayContaining([expect.objectContaining({ pointer: '/conversation_key' })]),
          },
        })
    })

    test('stops no work of another conversation [CONV-10]', async () => {
      await device.beat()
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const executing = (await client.send(id, { text: 'x' })).body.run_id
      await device.take(executing)
      const queued = (await client.send(id, { text: 'x' })).body.run_id
      const before = (await client.snapshot(id)).body
      await client.createConversation()
      await client.createConversation({ endpoint_id: 'ep_echo' })
      expect((await client.snapshot(id)).body).toEqual(before)
      const states = await Promise.all([executing, queued].map(async (runId) => (await client.run(runId)).body.state))
      expect(states).toEqual(['running', 'queued'])
    })

    test('makes one that lasts: it takes messages after its runs have ended and after resets, one generation further each time [CONV-11, CONV-12, CONV-24, ERR-05, ERR-06]', async () => {
      await device.beat()
      const client = running.client()
      const { conversation_id: id } = (await client.createConversation()).body
      const conflict = { status: 409, body: { code: 'GENERATION_CONFLICT' } }
      for (const generation of [1, 2, 3]) {
        const sent = await client.send(id, { text: 'x' }, generation)
        expect(sent).toMatchObject({ status: 202, body: { conversation_id: id, generation } })
        await device.report(await device.take(sent.body.run_id), { state: 'succeeded' })
        expect(await client.send(id, { text: 'x' }, generation + 1)).toMatchObject(conflict)
        expect(await client.reset(id, generation)).toMatchObject({
          status: 202,
          body: { state: 'succeeded', ref: { conversation_id: id, generation: generation + 1 } },
        })
        expect((await client.snapshot(id)).body.generation).toBe(generation + 1)
        for (const stale of [await client.send(id, { text: 'x' }, generation), await client.reset(id, generation)])
          expect(stale).toMatchObject(conflict)
      }
    })
  },
  WITHOUT_WORKER,
)
