import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { readHistory } from '../../../kit/steps/snapshots.ts'

interface Erasure {
  readonly erasure_id: string
  readonly conversation_id: string | null
  readonly state: string
  readonly erased: Readonly<Record<string, number>>
}

const erase = async (t: ServerContext, path: string): Promise<Erasure> =>
  expectStatus(await t.admin.request<Erasure>('DELETE', path), 202).body

const succeeded = (t: ServerContext, id: string): Promise<Erasure> =>
  t.until(
    'the erasure has succeeded',
    () => t.admin.call<Erasure>('GET', `/erasures/${id}`),
    ({ state }) => state === 'succeeded',
  )

export const checks: readonly ServerCheck[] = [
  {
    id: 'admin/erases-a-conversation',
    title: 'an erased conversation and its records are 404, its stream ends, and other conversations stay',
    rules: ['ERASE-01'],
    tags: ['security'],
    needs: ['admin'],
    streams: 1,
    run: async (t) => {
      const [toErase, kept] = [await t.start({ delta: 'a' }), await t.start({ delta: 'b' })]
      for (const { admission } of [toErase, kept]) await t.runEnded(admission.run_id)
      const { conversation_id: id } = toErase.conversation
      const stream = await t.me.events(id)
      const begun = await erase(t, `/conversations/${id}`)
      equal(begun.conversation_id, id)
      const answers = [await t.me.snapshot(id), await t.me.history(id), await t.me.run(toErase.admission.run_id)]
      for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND')
      await stream.ended()
      await succeeded(t, begun.erasure_id)
      equal((await erase(t, `/conversations/${id}`)).erasure_id, begun.erasure_id)
      equal((await readHistory(t, kept.conversation.conversation_id)).length, 2)
      expectStatus(await t.admin.request('DELETE', `/conversations/conv_${'0'.repeat(32)}`), 404)
    },
  },
  {
    id: 'admin/erases-a-subject',
    title:
      'erasing a subject removes its data; its earlier requests are not executed again, and it can create new records',
    rules: ['ERASE-02', 'ERASE-04'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { main } = t.config.services
      const person = t.caller({ subject: t.fresh('person/ü') })
      const body = { endpoint_id: main, conversation_key: t.fresh('order') }
      const key = t.fresh('key')
      const create = () => person.request<Conversation>('POST', '/conversations', { json: body, key })
      const conversation = expectStatus(await create(), 201).body
      const { conversation_id: id } = conversation
      const { run_id: runId } = await t.admit(conversation, t.script({ delta: 'a' }), person)
      await t.runEnded(runId, person)

      const { appId = '' } = t.config.apps.first
      const begun = await erase(t, `/apps/${appId}/subjects/${encodeURIComponent(person.subject)}`)
      const receipt = await succeeded(t, begun.erasure_id)
      deepEqual([receipt.erased.conversations, receipt.erased.runs, receipt.erased.messages], [1, 1, 2])
      const { text } = await t.admin.request('GET', `/erasures/${begun.erasure_id}`)
      ok(!text.includes(person.subject), 'the receipt names the subject')
      match(text, /"completed_at":\s*"\d{4}-/)
      for (const answer of [await person.snapshot(id), await person.run(runId)]) expectRefusal(answer, 404, 'NOT_FOUND')
      deepEqual(expectStatus(await person.listConversations(`endpoint_id=${main}`), 200).body.conversations, [])

      expectRefusal(await create(), 404, 'NOT_FOUND')
      deepEqual(expectStatus(await person.listConversations(`endpoint_id=${main}`), 200).body.conversations, [])
      expectStatus(await person.request('POST', '/conversations', { json: body, key: t.fresh('key') }), 201)
    },
  },
  {
    id: 'admin/erasure-stops-work',
    title: 'an erasure stops executing work, and waits at most 60 seconds for work that does not stop',
    rules: ['ERASE-03'],
    tags: ['limit'],
    alone: 'all',
    needs: ['admin', 'driver.moveClock'],
    run: async (t) => {
      const stoppable = await t.start({ hang: true })
      const unstoppable = await t.start({ ignore_stop: true }, { hang: true })
      for (const { admission } of [stoppable, unstoppable]) await t.runIn(admission.run_id, ['running'])
      const soon = await erase(t, `/conversations/${stoppable.conversation.conversation_id}`)
      const late = await erase(t, `/conversations/${unstoppable.conversation.conversation_id}`)
      equal((await succeeded(t, soon.erasure_id)).erased.runs, 1)
      equal((await t.admin.call<Erasure>('GET', `/erasures/${late.erasure_id}`)).state, 'pending')
      for (let moved = 0; moved <= 60_000; moved += 10_000) await t.driver.moveClock(10_000)
      equal((await succeeded(t, late.erasure_id)).erased.runs, 1)
    },
  },
]
