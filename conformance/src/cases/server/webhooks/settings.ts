import assert from 'node:assert/strict'
import { save, saved } from '../../../steps/server/webhook-administration.ts'
import { accept, inputsOf } from '../../../steps/server/webhooks.ts'
import { expectRefusal, expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'
import { deliver, eventOf } from '../../../targets/server/webhook-sender.ts'

const needs = ['admin', 'appIds'] as const
const BY_ID = { action: 'message', match: 'id', conversation_id_field: 'c.id', generation_field: 'c.generation' }
const FIELDS = {
  event_type_field: {},
  message_field: {},
  data_field: {},
  resource_ids_field: {},
  conversation_key_field: { action: 'message', match: 'key' },
  conversation_id_field: BY_ID,
  generation_field: BY_ID,
  run_id_field: { action: 'cancel' },
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/paths-of-six-segments',
    title: 'a path of five segments can be saved, one of six is refused, in every field',
    rules: ['HOOK-16'],
    tags: ['limit'],
    needs,
    run: async (t) => {
      for (const [field, more] of Object.entries(FIELDS)) {
        expectStatus(await save(t, { ...more, [field]: 'a.b.c.d.e' }), 201)
        for (const path of ['a.b.c.d.e.f', 'a.b.c.d.e.f.g', 'a..b', '.a', 'a.', ''])
          expectRefusal(await save(t, { ...more, [field]: path }), 400)
      }
      const { integrationId } = await saved(t)
      const change = { json: { message_field: 'a.b.c.d.e.f' } }
      expectRefusal(await t.admin.request('PATCH', `/webhooks/${integrationId}`, change), 400)
    },
  },
  {
    id: 'webhooks/paths-are-no-jsonpath',
    title: 'wildcards, filters and the like in a path are refused or mean a member of just that name',
    rules: ['HOOK-17'],
    needs,
    run: async (t) => {
      for (const path of [
        '*',
        'event.*',
        '$.event.text',
        'event[0]',
        'event[*]',
        "event['text']",
        '$',
        'event[?(@.a)]',
      ]) {
        const answer = expectStatus(await save(t, { message_field: path }), 201, 400)
        if (answer.status === 400) continue
        const { integration_id: integrationId, secret = '', subject } = answer.body
        const integration = { integrationId, secret, subject }
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' })), 400)
        expectRefusal(await deliver(t, integration, { event: [{ type: 'conformance.event', text: 'x' }] }), 403)
      }
    },
  },
  {
    id: 'webhooks/event-types-are-not-empty',
    title: 'an integration needs a non-empty list of event types, an action that exists, and its fixed subject',
    rules: ['HOOK-07', 'HOOK-08', 'HOOK-09'],
    needs,
    run: async (t) => {
      for (const change of [
        { event_types: [] },
        { event_types: 'conformance.event' },
        { event_types: undefined },
        { action: 'create' },
        { action: 'Message' },
        { action: undefined },
        { subject: '' },
        { subject: undefined },
      ])
        expectRefusal(await save(t, change), 400)
    },
  },
  {
    id: 'webhooks/actions-want-their-fields',
    title: 'each action is refused without the fields that it is configured with',
    rules: ['HOOK-18', 'HOOK-20', 'HOOK-21', 'HOOK-23', 'HOOK-25'],
    needs,
    run: async (t) => {
      const byKey = { action: 'message', match: 'key', conversation_key_field: 'k' }
      const reset = { ...BY_ID, action: 'reset', match: undefined, message_field: undefined }
      const cancel = { action: 'cancel', message_field: undefined, run_id_field: 'run' }
      for (const complete of [{}, byKey, BY_ID, reset, { ...reset, busy_policy: 'cancel_and_reset' }, cancel])
        expectStatus(await save(t, complete), 201)
      for (const lacking of [
        { message_field: undefined },
        { ...byKey, message_field: undefined },
        { ...byKey, conversation_key_field: undefined },
        { ...BY_ID, conversation_id_field: undefined },
        { ...BY_ID, generation_field: undefined },
        { ...reset, conversation_id_field: undefined },
        { ...reset, generation_field: undefined },
        { ...reset, busy_policy: 'wait' },
        { ...cancel, run_id_field: undefined },
      ])
        expectRefusal(await save(t, lacking), 400)
    },
  },
  {
    id: 'webhooks/configuration-decides',
    title: 'the fields, event types, subject and switch of the configuration count from the moment they are changed',
    rules: ['HOOK-04', 'HOOK-07', 'HOOK-08', 'HOOK-15'],
    needs,
    run: async (t) => {
      const integration = await saved(t)
      const change = (json: object) => t.admin.call('PATCH', `/webhooks/${integration.integrationId}`, json)
      const event = { ...eventOf({ text: 'old place' }), note: 'new place' }
      await accept(t, integration, event)
      const subject = t.fresh('webhook')
      await change({ message_field: 'note', subject })
      const { conversation_id } = await accept(t, integration, event)
      const inputs = await inputsOf(t, { ...integration, subject }, conversation_id)
      assert.deepEqual(
        inputs.map(({ content }) => content.text),
        ['new place'],
      )
      await change({ event_types: ['conformance.other'] })
      expectRefusal(await deliver(t, integration, event), 403)
      await accept(t, integration, { ...event, event: { type: 'conformance.other' } })
      await change({ event_types: ['conformance.event'], enabled: false })
      expectRefusal(await deliver(t, integration, event), 403)
      await change({ enabled: true })
      await accept(t, integration, event)
    },
  },
  {
    id: 'webhooks/foreign-service',
    title: 'an integration can only be saved for a published service of its own application',
    rules: ['HOOK-05'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const { foreign } = t.config.services
      for (const endpoint_id of [foreign, 'ep_nobody']) expectStatus(await save(t, { endpoint_id }), 400, 404)
      const other = await saved(t, { app_id: t.config.apps.second.appId, endpoint_id: foreign })
      const { run_id } = await accept(t, other, eventOf({ text: 'hello' }))
      expectStatus(await t.caller({ app: 'second', subject: other.subject }).run(run_id), 200)
      expectRefusal(await t.caller({ subject: other.subject }).run(run_id), 404)
    },
  },
]
