import assert from 'node:assert/strict'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { declaration, declare, upload } from '../../../kit/steps/attachments.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const UNKNOWN = `res_${'0'.repeat(32)}`

/** Uses resource IDs on each route that accepts them. */
async function useEverywhere(t: ServerContext, resourceIds: readonly string[], by: Caller = t.me): Promise<Answer[]> {
  const input = { text: 'x', resource_ids: [...resourceIds] }
  const { conversation_id } = await t.conversation({}, by)
  return [await by.send(conversation_id, input), await by.createRun(t.config.services.main, { input })]
}

/** Expects every route to refuse the IDs, and to name at least one of these places and no others. */
async function expectRefusedAt(t: ServerContext, resourceIds: readonly string[], places: readonly number[]) {
  const answers = await useEverywhere(t, resourceIds)
  for (const answer of answers) {
    expectRefusal(answer, 400, 'INVALID_REQUEST')
    const { errors = [] }: { readonly errors?: readonly { readonly pointer: string }[] } = Object(answer.body)
    const named = errors.map(({ pointer }) => pointer)
    const refused = places.map((place) => `/input/resource_ids/${place}`)
    assert.ok(
      named.length > 0 && named.every((pointer) => refused.includes(pointer)),
      `${answer.request.path} must name ${refused.join(' or ')}, but names ${named.join(' and ') || 'nothing'}`,
    )
  }
  return answers
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'attachments/upload-is-authorized',
    title: 'the declaration of an attachment without a valid key, scope or subject is refused',
    rules: ['RES-01'],
    tags: ['security'],
    needs: ['scopedKeys'],
    run: async (t) => {
      await declare(t)
      const refuse = async (headers: Readonly<Record<string, string | null>>, ...statuses: readonly number[]) =>
        expectStatus(await t.me.createResource(declaration(), { headers }), ...statuses)
      await refuse({ authorization: null }, 401)
      await refuse({ authorization: 'Bearer gk_nobody_nothing' }, 401)
      await refuse({ authorization: `Basic ${t.me.apiKey}` }, 401)
      await refuse({ 'x-service-subject': null }, 400, 401, 403)
      const key = t.config.apps.first.scopedKeys?.['runs:read']
      if (key !== undefined) await refuse({ authorization: `Bearer ${key}` }, 403)
    },
  },
  {
    id: 'attachments/upload-before-use',
    title: 'messages and direct runs refuse an ID that was not uploaded, and accept one that was',
    rules: ['RES-02'],
    run: async (t) => {
      const { resource_id } = await upload(t)
      for (const answer of await useEverywhere(t, [resource_id])) expectStatus(answer, 202)
      for (const answer of await useEverywhere(t, [UNKNOWN])) expectStatus(answer, 400, 403, 404, 422)
      for (const answer of await useEverywhere(t, [resource_id, UNKNOWN])) expectStatus(answer, 400, 403, 404, 422)
    },
  },
  {
    id: 'attachments/record-names-its-owner',
    title: 'an attachment has an ID, its application and subject, a ready status and a type',
    rules: ['RES-03'],
    run: async (t) => {
      const record = await upload(t, { content_type: 'text/plain' })
      assert.ok(record.resource_id.length > 0)
      // The specification defines the contents of a record, but not the names of its members.
      const values = Object.values(record)
      for (const value of [t.me.subject, 'ready', 'text/plain', t.config.apps.first.appId])
        assert.ok(value === undefined || values.includes(value), `no member of the record is ${value}`)
    },
  },
  {
    id: 'attachments/unknown-in-input',
    title: 'an unknown resource ID is 400 INVALID_REQUEST naming its pointer, and nothing is admitted',
    rules: ['RES-19'],
    run: async (t) => {
      const { resource_id } = await upload(t)
      await expectRefusedAt(t, [UNKNOWN], [0])
      await expectRefusedAt(t, [resource_id, UNKNOWN, `res_${'1'.repeat(32)}`], [1, 2])
      await expectRefusedAt(t, [resource_id.toUpperCase()], [0])
      const { conversation_id } = await t.conversation()
      expectRefusal(await t.me.send(conversation_id, { text: 'x', resource_ids: [UNKNOWN] }), 400)
      assert.equal((await readSnapshot(t, conversation_id)).messages.length, 0)
    },
  },
  {
    id: 'attachments/foreign-in-input',
    title: 'a resource ID of another subject or application is 400 INVALID_REQUEST naming its pointer',
    rules: ['RES-20'],
    tags: ['security'],
    run: async (t) => {
      const ofOtherSubject = await upload(t, {}, t.caller({ subject: t.otherSubject() }))
      const ofOtherApp = await upload(t, {}, t.caller({ app: 'second' }))
      const { resource_id: own } = await upload(t)
      await expectRefusedAt(t, [own, ofOtherSubject.resource_id], [1])
      await expectRefusedAt(t, [ofOtherApp.resource_id, own], [0])
      expectRefusal(await t.me.get(`/resources/${ofOtherSubject.resource_id}`), 404, 'NOT_FOUND')
      expectRefusal(await t.me.get(`/resources/${ofOtherApp.resource_id}/content`), 404, 'NOT_FOUND')
      expectRefusal(await t.me.request('DELETE', `/resources/${ofOtherSubject.resource_id}`), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'attachments/pending-in-input',
    title: 'a resource ID that is not ready is 400 INVALID_REQUEST naming its pointer',
    rules: ['RES-21'],
    run: async (t) => {
      const pending = await declare(t)
      const { resource_id: ready } = await upload(t)
      await expectRefusedAt(t, [pending.resource_id], [0])
      await expectRefusedAt(t, [ready, pending.resource_id], [1])
    },
  },
  {
    id: 'attachments/repeated-in-input',
    title: 'a repeated resource ID is 400 INVALID_REQUEST naming its pointer',
    rules: ['RES-22'],
    run: async (t) => {
      const [one, two] = [await upload(t), await upload(t)]
      await expectRefusedAt(t, [one.resource_id, one.resource_id], [0, 1])
      await expectRefusedAt(t, [one.resource_id, two.resource_id, one.resource_id], [0, 2])
      for (const answer of await useEverywhere(t, [one.resource_id, two.resource_id])) expectStatus(answer, 202)
    },
  },
  {
    id: 'attachments/type-in-input',
    title: 'a resource of a type that the service does not accept is 400 INVALID_REQUEST naming its pointer',
    rules: ['RES-23'],
    needs: ['driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService({ accepts: ['text/*', 'image/png'] })
      const types = [
        'text/plain',
        'text/csv; charset=utf-8',
        'image/png',
        'image/jpeg',
        'application/json',
        'textual/x',
      ]
      const ids = await Promise.all(types.map(async (type) => (await upload(t, { content_type: type })).resource_id))
      const { conversation_id } = await t.conversation({ endpoint_id: endpointId })
      for (const [at, id] of ids.entries()) {
        const input = { text: 'x', resource_ids: [id] }
        const answers = [await t.me.send(conversation_id, input), await t.me.createRun(endpointId, { input })]
        for (const answer of answers) {
          if (at < 3) expectStatus(answer, 202)
          else {
            expectRefusal(answer, 400, 'INVALID_REQUEST')
            assert.ok(answer.text.includes('"/input/resource_ids/0"'), `${types[at]} is refused without its pointer`)
          }
        }
      }
    },
  },
  {
    id: 'attachments/unknown-and-foreign-alike',
    title: 'the responses for an unknown resource ID and one of another tenant are identical',
    rules: ['RES-24'],
    tags: ['security'],
    run: async (t) => {
      const otherApp = t.caller({ app: 'second' })
      const foreign = [
        await upload(t, {}, t.caller({ subject: t.otherSubject() })),
        await declare(t, {}, t.caller({ subject: t.otherSubject() })),
        await upload(t, { content_type: 'image/x-unaccepted' }, otherApp),
      ]
      const read = async (id: string) =>
        (await expectRefusedAt(t, [id], [0])).map(({ body }) => {
          const { request_id: _own, instance: _its, ...compared } = Object(body)
          return JSON.stringify(compared).replaceAll(id, 'ID')
        })
      const unknown = await read(UNKNOWN)
      for (const { resource_id } of foreign) assert.deepEqual(await read(resource_id), unknown)
    },
  },
]
