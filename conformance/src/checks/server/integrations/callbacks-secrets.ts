import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import { change, OWN_CALLBACK, ownCallback, save, saved } from '../../../kit/steps/callback-administration.ts'
import { finish, isSignedBy } from '../../../kit/steps/callbacks.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'

const needs = ['callbacks', 'admin', 'driver.saveCallback', 'driver.changeCallback'] as const
const own = [...OWN_CALLBACK, 'admin', 'driver.changeCallback'] as const
interface CallbackRecord {
  readonly app_id: string
  readonly endpoint_id: string
  readonly events: readonly string[]
  readonly url: string
  readonly version: number
  readonly secret: string
}

const TOKEN = 'conformance-token-in-the-query'

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/secrets-overlap',
    title:
      'during the overlap after a rotation, the old secret signs and no delivery is cancelled; a rotation without overlap ends the overlap',
    rules: ['CB-66'],
    needs: own,
    run: async (t) => {
      const { arrived, callback, converse, delivery, requests } = await ownCallback(t)
      const conversation = await converse()
      t.callbacks.plan(conversation.conversation_id, (attempt) => ({ status: attempt === 1 ? 503 : 200 }))
      const rotate = (query: string) =>
        t.admin.call<CallbackRecord>('POST', `/callbacks/${callback.callbackId}/rotate-secret${query}`)
      const signers = [callback.secret]
      const signer = (at: number): number => signers.findIndex((secret) => isSignedBy(requests()[at], secret))
      await finish(t, conversation)
      await delivery('an attempt has failed', ({ state, attempts }) => state === 'pending' && attempts === 1)
      signers.push((await rotate('?overlap_seconds=600')).secret)
      await delivery('the delivery is delivered despite the rotation', ({ state }) => state === 'delivered')
      assert.deepEqual([signer(0), signer(1)], [0, 0], 'during the overlap the old secret must sign')
      signers.push((await rotate('')).secret)
      await finish(t, conversation)
      await arrived(3)
      assert.equal(signer(2), 2, 'without an overlap the newest secret must sign at once')
      for (const overlap of ['86401', '-1', 'long'])
        expectRefusal(
          await t.admin.request('POST', `/callbacks/${callback.callbackId}/rotate-secret?overlap_seconds=${overlap}`),
          400,
        )
    },
  },
  {
    id: 'callbacks/query-is-hidden',
    title:
      'no answer shows the query of a callback URL; saving the shown URL changes nothing, and no other configuration can be saved with it',
    rules: ['CB-67'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const url = `${t.callbacks.origin}/own/${t.fresh()}?token=${TOKEN}`
      const callback = await saved(t, { url })
      const path = `/callbacks/${callback.callbackId}`
      const read = await t.admin.request<CallbackRecord>('GET', path)
      const { app_id, endpoint_id, events } = read.body
      const another = { app_id, endpoint_id, events, url, enabled: false }
      const answers = [
        read,
        await t.admin.request<CallbackRecord>('PATCH', path, { json: { url: read.body.url } }),
        await t.admin.request<CallbackRecord>('PATCH', path, { json: { url } }),
        await t.admin.request<CallbackRecord>('GET', '/callbacks?limit=200'),
        await t.admin.request<CallbackRecord>('POST', `${path}/rotate-secret`),
        await t.admin.request<CallbackRecord>('POST', '/callbacks', { json: another }),
      ]
      for (const answer of answers) assert.ok(!answer.text.includes(TOKEN), `${answer.request.path} shows the query`)
      assert.ok(!JSON.stringify(callback).includes(TOKEN))
      assert.deepEqual(
        answers.slice(0, 3).map(({ body }) => body.version),
        [1, 1, 1],
        'saving the shown URL or the same full URL changed the version',
      )
      assert.equal((await change(t, callback, { url: `${url}x` })).version, 3)
      expectRefused(await save(t, { url: read.body.url }), 'the shown URL')
    },
  },
  {
    id: 'callbacks/query-is-sent',
    title: 'callbacks are sent to the full URL with its query, even after the shown URL was saved',
    rules: ['CB-67'],
    needs: own,
    run: async (t) => {
      const { callback, converse, path } = await ownCallback(t)
      const whole = `${path}?token=${TOKEN}`
      await change(t, callback, { url: t.callbacks.origin + whole })
      const shown = await t.admin.call<CallbackRecord>('GET', `/callbacks/${callback.callbackId}`)
      await change(t, callback, { url: shown.url, events: ['run.completed'] })
      await finish(t, await converse())
      await t.until(
        'the callback',
        async () => t.callbacks.all().filter((request) => request.path === whole),
        ({ length }) => length === 1,
      )
    },
  },
]
