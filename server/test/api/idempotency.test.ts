import { randomUUID } from 'node:crypto'
import type { OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { beforeAll, expect, test } from 'vitest'
import type { RecordIds, Route } from '../support/api-routes.ts'
import { ask, BELONGS_TO, finishedRecords, NAMED_IDS, NOBODY, ROUTES, requestTo } from '../support/api-routes.ts'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

type Operations = typeof OPERATIONS
type ReplayedId = {
  [Id in keyof Operations]: Operations[Id] extends { idempotent: true } ? Id : never
}[keyof Operations]

/** What makes another content of the smallest body; null where there is only one content. */
const CHANGES: Readonly<Record<ReplayedId, object | null>> = {
  createConversation: { conversation_key: 'another' },
  sendMessage: { input: { text: 'another' } },
  resetConversation: { busy_policy: 'reject' },
  createRun: { input: { text: 'another' } },
  cancelRun: null,
  createResource: { filename: 'another.txt' },
}

const REPLAYED = ROUTES.filter(({ info }) => info.idempotent)
const changeOf = ({ id }: Route): object | null =>
  Object.entries(CHANGES).find(([operationId]) => operationId === id)?.[1] ?? null

const CONFLICT = { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } }

onGateways(
  'an idempotency key',
  (running) => {
    const device = playDevice(running)
    let owner: Client
    beforeAll(async () => {
      await device.beat()
      owner = running.client()
    })
    const rows = () => countRows(running.gateway.context.db)

    const admitted = async (route: Route) => {
      const records = await finishedRecords(owner)
      const request = requestTo(route, records)
      const key = randomUUID()
      const answer = await ask(owner, route, request, key)
      expect(answer).toMatchObject({ status: route.info.successStatus })
      return { request, key, answer, records }
    }

    test('makes every route that takes one answer a repeat as it answered first, say so, and do nothing again [IDEM-09, IDEM-21, IDEM-22, REQ-13]', async () => {
      expect(REPLAYED.map(({ id }) => id).sort()).toEqual(Object.keys(CHANGES).sort())
      for (const route of REPLAYED) {
        const { request, key, answer } = await admitted(route)
        const before = await rows()
        const again = await ask(owner, route, request, key)
        expect([again.status, again.body]).toEqual([answer.status, answer.body])
        expect(answer.headers.has('idempotency-replayed')).toBe(false)
        expect(again.headers.get('idempotency-replayed')).toBe('true')
        expect(await rows()).toEqual(before)
      }
    })

    test('covers the content of the body, not its spelling [IDEM-14]', async () => {
      const { conversation_id: id } = (await owner.createConversation({ endpoint_id: 'ep_echo' })).body
      const path = `/api/v1/conversations/${id}/messages`
      const idempotencyKey = randomUUID()
      const first = await owner.request('POST', path, {
        idempotencyKey,
        rawBody: '{"expected_generation":1,"input":{"text":"x","data":{"a":1,"b":2}}}',
      })
      const again = await owner.request('POST', path, {
        idempotencyKey,
        rawBody: ' {"input":{"data":{"b":2,"a":1},\n"text":"x"},"expected_generation":1} ',
      })
      expect([again.status, again.body]).toEqual([202, first.body])
    })

    test('used again with a changed content is a conflict and has no effect [IDEM-06, IDEM-14, ERR-11]', async () => {
      for (const route of REPLAYED) {
        const change = changeOf(route)
        if (change === null) continue
        const { request, key } = await admitted(route)
        const before = await rows()
        expect(await ask(owner, route, { ...request, body: { ...request.body, ...change } }, key)).toMatchObject(
          CONFLICT,
        )
        expect(await rows()).toEqual(before)
      }
    })

    test('used again for another operation is a conflict [IDEM-12]', async () => {
      for (const route of REPLAYED) {
        const { key, records } = await admitted(route)
        const before = await rows()
        for (const another of REPLAYED.filter(({ id }) => id !== route.id))
          expect(await ask(owner, another, requestTo(another, records), key)).toMatchObject(CONFLICT)
        expect(await rows()).toEqual(before)
      }
    })

    test('used again for another target is a conflict [IDEM-06, IDEM-13]', async () => {
      const others: RecordIds = await finishedRecords(owner, 'ep_script')
      for (const route of REPLAYED.filter(({ id }) => NAMED_IDS.some((named) => named.route.id === id))) {
        const { key } = await admitted(route)
        const before = await rows()
        expect(await ask(owner, route, requestTo(route, others), key)).toMatchObject(CONFLICT)
        expect(await rows()).toEqual(before)
      }
    })

    test('does not show whose it is: with the ID of somebody else or of nobody the answer is 404 [REQ-11, ERR-04]', async () => {
      for (const { route, record } of NAMED_IDS.filter(
        ({ route: { info }, place }) => info.idempotent && place === 'path',
      )) {
        const { request, key } = await admitted(route)
        const strangers = [running.client({ subject: 'subject-2' }), running.client({ key: KEYS.otherApp })]
        const answers = [
          await ask(owner, route, requestTo(route, NOBODY), key),
          ...(await Promise.all(
            strangers
              .slice(BELONGS_TO[record] === 'subject' ? 0 : 1)
              .map((stranger) => ask(stranger, route, request, key)),
          )),
        ]
        for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      }
    })

    test('belongs to its application and subject: elsewhere the same key is another intention [IDEM-11, IDEM-27, GEN-31]', async () => {
      const key = randomUUID()
      const creations = [
        await owner.createConversation({ endpoint_id: 'ep_echo' }, key),
        await running.client({ subject: 'subject-2' }).createConversation({ endpoint_id: 'ep_echo' }, key),
        await running.client({ key: KEYS.otherApp }).createConversation({ endpoint_id: 'ep_other' }, key),
      ]
      expect(creations.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(creations.map(({ headers }) => headers.has('idempotency-replayed'))).toEqual([false, false, false])
      expect(new Set(creations.map(({ body }) => body.conversation_id)).size).toBe(3)
    })

    test('is not replaced by a business key: a repeated creation under another key is BUSY and creates nothing [IDEM-07, CONV-07, CONV-08, ERR-08]', async () => {
      const body = { endpoint_id: 'ep_echo', conversation_key: 'order-7' }
      const key = randomUUID()
      const created = await owner.createConversation(body, key)
      const before = await rows()
      expect(await owner.createConversation(body)).toMatchObject({ status: 409, body: { code: 'BUSY' } })
      expect(await rows()).toEqual(before)
      // The same key is a retry, and another service has its own business keys.
      expect((await owner.createConversation(body, key)).body).toEqual(created.body)
      const elsewhere = await owner.createConversation({ ...body, endpoint_id: 'ep_script' })
      expect(elsewhere).toMatchObject({ status: 201, body: { business_key: 'order-7' } })
    })

    test('of a message is replayed as queued although its run has ended since [IDEM-09]', async () => {
      const { conversation_id: id } = (await owner.createConversation({ endpoint_id: 'ep_echo' })).body
      const key = randomUUID()
      const { body } = await owner.send(id, { text: 'done' }, 1, key)
      await device.report(await device.take(body.run_id), { state: 'succeeded' })
      expect((await owner.run(body.run_id)).body.state).toBe('succeeded')
      expect((await owner.send(id, { text: 'done' }, 1, key)).body).toEqual({ ...body, state: 'queued' })
    })
  },
  WITHOUT_WORKER,
)
