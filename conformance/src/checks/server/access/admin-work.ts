import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { answeredWith, deliveryIn } from '../../../kit/steps/callbacks.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'admin/webhooks',
    title: 'an integration is created with its secret shown once, listed, read without it, changed and rotated',
    rules: ['ADMIN-07'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const created = await t.admin.call<{ integration_id: string; secret: string }>('POST', '/webhooks', {
        app_id: t.config.apps.first.appId,
        endpoint_id: t.config.services.main,
        subject: t.me.subject,
        event_type_field: 'type',
        event_types: ['a'],
        action: 'new',
        message_field: 'text',
      })
      const path = `/webhooks/${created.integration_id}`
      const read = await t.admin.request<{ event_types: string[] }>('GET', path)
      ok(!read.text.includes(created.secret), 'the secret can be read back')
      await t.admin.call('PATCH', path, { event_types: ['b'], enabled: false })
      deepEqual((await t.admin.call<{ event_types: string[] }>('GET', path)).event_types, ['b'])
      const rotated = await t.admin.call<{ secret: string }>('POST', `${path}/rotate-secret`)
      ok(rotated.secret !== created.secret, 'the rotation did not change the secret')
      const listed = await t.admin.request('GET', '/webhooks?limit=200')
      for (const secret of [created.secret, rotated.secret])
        ok(!listed.text.includes(secret), 'the list shows a secret')
    },
  },
  {
    id: 'admin/callbacks',
    title:
      'a callback configuration is created with its secret shown once, listed, read without it, changed and rotated',
    rules: ['ADMIN-08'],
    tags: ['security'],
    needs: ['admin', 'appIds', 'callbacks', 'driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService({})
      const url = `${t.callbacks.origin}${t.callbacks.path}`
      const created = await t.admin.call<{ callback_id: string; secret: string }>('POST', '/callbacks', {
        app_id: t.config.apps.first.appId,
        endpoint_id: endpointId,
        url,
        events: ['run.completed'],
        enabled: false,
      })
      const path = `/callbacks/${created.callback_id}`
      const read = await t.admin.request<{ enabled: boolean; url: string }>('GET', path)
      equal(read.body.enabled, false)
      equal(read.body.url, url)
      ok(!read.text.includes(created.secret), 'the secret can be read back')
      await t.admin.call('PATCH', path, { events: ['run.failed'] })
      deepEqual((await t.admin.call<{ events: string[] }>('GET', path)).events, ['run.failed'])
      const rotated = await t.admin.call<{ secret: string }>('POST', `${path}/rotate-secret`)
      ok(rotated.secret !== created.secret, 'the rotation did not change the secret')
      ok(
        !(await t.admin.request('GET', '/callbacks?limit=200')).text.includes(rotated.secret),
        'the list shows a secret',
      )
    },
  },
  {
    id: 'admin/deliveries',
    title:
      'a delivery is listed and read with its state; one that needs action can be retried manually, a delivered one cannot',
    rules: ['ADMIN-09'],
    needs: ['admin', 'callbacks', 'driver.listDeliveries'],
    run: async (t) => {
      const conversation = await answeredWith(t, { status: 400 })
      const { deliveryId } = await deliveryIn(t, conversation, ['needs_action'])
      t.callbacks.plan(conversation.conversation_id, { status: 200 })
      const record = `/deliveries/${deliveryId}`
      equal((await t.admin.call<{ state: string }>('GET', record)).state, 'needs_action')
      const path = `${record}/retry`
      expectStatus(await t.admin.request('POST', path), 202)
      await deliveryIn(t, conversation, ['delivered'])
      expectStatus(await t.admin.request('POST', path), 409)
    },
  },
  {
    id: 'admin/approvals',
    title: 'an open approval is listed until it is decided, and a decided one cannot be decided again',
    rules: ['ADMIN-10'],
    needs: ['admin'],
    run: async (t) => {
      const { admission } = await t.startIn('waiting_approval', { approval: 'May I?' }, { delta: 'yes' })
      const find = async () => {
        const { approvals } = await t.admin.call<{
          approvals: { approval_id: string; run_id: string; summary: string }[]
        }>('GET', '/approvals?limit=200')
        return approvals.find(({ run_id }) => run_id === admission.run_id)
      }
      const open = await t.until('the approval is listed', find, (one) => one !== undefined)
      equal(open?.summary, 'May I?')
      const path = `/approvals/${open?.approval_id ?? ''}/decision`
      expectStatus(await t.admin.request('POST', path, { json: { decision: 'maybe' } }), 400)
      await t.admin.call('POST', path, { decision: 'approve' })
      equal((await t.runEnded(admission.run_id)).state, 'succeeded')
      expectStatus(await t.admin.request('POST', path, { json: { decision: 'deny' } }), 409)
    },
  },
  {
    id: 'admin/prunes-up-to-a-seq',
    title: 'pruning up to a seq removes that event and earlier ones of this conversation, and no others',
    rules: ['ADMIN-12'],
    needs: ['driver.expireEvents'],
    streams: 2,
    run: async (t) => {
      const [one, other] = [await t.start({ delta: 'a' }), await t.start({ delta: 'a' })]
      await Promise.all([one, other].map(({ admission }) => t.runEnded(admission.run_id)))
      await t.driver.expireEvents(one.conversation.conversation_id, 2)
      const first = await t.me.events(one.conversation.conversation_id)
      equal((await first.event('an event', () => true)).seq, 3)
      const untouched = await t.me.events(other.conversation.conversation_id)
      equal((await untouched.event('an event', () => true)).seq, 1)
    },
  },
  {
    id: 'admin/prunes-by-age',
    title: 'pruning by age removes older events of all conversations and keeps younger ones',
    rules: ['ADMIN-12'],
    needs: ['admin', 'driver.moveClock'],
    alone: 'all',
    streams: 2,
    run: async (t) => {
      const old = await t.start({ delta: 'a' })
      await t.runEnded(old.admission.run_id)
      await t.driver.moveClock(600_000)
      // After a move of the clock, devices can be considered offline until their next heartbeat.
      const young = await t.until(
        'new work is admitted',
        async () => {
          const conversation = await t.conversation()
          return { conversation, answer: await t.me.send(conversation.conversation_id, t.script({ delta: 'b' })) }
        },
        ({ answer }) => answer.status === 202,
      )
      await t.runEnded(young.answer.body.run_id)
      await t.admin.call('POST', '/events/prune', { older_than_seconds: 300 })
      const expiredStream = await t.me.tryEvents(`/conversations/${old.conversation.conversation_id}/events`, {
        after: 0,
      })
      ok('status' in expiredStream, 'the old events still exist')
      equal(expiredStream.status, 410)
      const kept = await t.me.events(young.conversation.conversation_id, { after: 0 })
      equal((await kept.event('an event', () => true)).seq, 1)
    },
  },
]
