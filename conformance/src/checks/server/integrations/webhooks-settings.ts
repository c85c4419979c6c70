import assert from 'node:assert/strict'
import type { Conversation } from '#openapi/generated/gateway'
import type { WebhookSettings } from '../../../kit/config/driver.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf } from '../../../kit/server/webhook-sender.ts'
import { expectRefused, granted } from '../../../kit/steps/refusals.ts'
import { admitHanging, readRun } from '../../../kit/steps/runs.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { type AnySettings, save, saved } from '../../../kit/steps/webhook-administration.ts'
import { accept, inputsOf } from '../../../kit/steps/webhooks.ts'

const needs = ['driver.saveWebhook'] as const
const changing = [...needs, 'driver.changeWebhook'] as const
const BY_ID = { action: 'message', match: 'id', conversationIdField: 'c.id', generationField: 'c.generation' }
const FIELDS = {
  eventTypeField: {},
  messageField: {},
  dataField: {},
  resourceIdsField: {},
  conversationKeyField: { action: 'message', match: 'key' },
  conversationIdField: BY_ID,
  generationField: BY_ID,
  runIdField: { action: 'cancel', messageField: undefined },
}

/** A path in every field that only some actions have. */
const ALL_FIELDS = {
  messageField: 'event.text',
  conversationKeyField: 'k',
  conversationIdField: 'c.id',
  generationField: 'c.generation',
  runIdField: 'run',
}

const generationOf = async (t: ServerContext, { conversation_id: id }: Conversation): Promise<number> =>
  (await readSnapshot(t, id)).generation

/** An event in which every field has a value. */
const EVENT = {
  ...eventOf({ text: 'hello' }),
  c: { id: `conv_${'0'.repeat(32)}`, generation: 1 },
  k: 'key',
  run: `run_${'0'.repeat(32)}`,
}

/** Expects an integration with these settings to be refused, or to refuse its events. */
async function expectNoAdmission(t: ServerContext, settings: AnySettings): Promise<void> {
  const outcome = await save(t, settings)
  if (outcome.refused !== undefined) return
  const { status } = await deliver(t, { ...outcome, subject: '' }, EVENT)
  assert.ok(
    status >= 400 && status < 500,
    `${JSON.stringify(settings)} was saved, and answered an event with ${status}`,
  )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/paths-of-six-segments',
    title: 'a path of five segments can be saved, a longer one is refused, in every field',
    rules: ['HOOK-16'],
    tags: ['limit'],
    needs: changing,
    run: async (t) => {
      for (const [field, more] of Object.entries(FIELDS)) {
        await saved(t, { ...more, [field]: 'a.b.c.d.e' })
        for (const path of ['a.b.c.d.e.f', 'a.b.c.d.e.f.g'])
          expectRefused(await save(t, { ...more, [field]: path }), `${path} as ${field}`)
      }
      const { integrationId } = await saved(t)
      expectRefused(
        await t.driver.changeWebhook(integrationId, { messageField: 'a.b.c.d.e.f' }),
        'a change to a path of six segments',
      )
    },
  },
  {
    id: 'webhooks/paths-are-no-jsonpath',
    title: 'wildcards and filters in a path are refused, or mean a member with exactly that name',
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
        const outcome = await save(t, { messageField: path })
        if (outcome.refused !== undefined) continue
        const integration = { ...outcome, subject: '' }
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' })), 400)
        expectStatus(await deliver(t, integration, { event: [{ type: 'conformance.event', text: 'x' }] }), 400, 403)
      }
    },
  },
  {
    id: 'webhooks/event-types-are-not-empty',
    title: 'an integration needs a non-empty list of event types, a known action, and a fixed subject',
    rules: ['HOOK-07', 'HOOK-08', 'HOOK-09'],
    needs,
    run: async (t) => {
      for (const change of [
        { eventTypes: [] },
        { eventTypes: undefined },
        { action: 'create' },
        { action: undefined },
        { subject: undefined },
      ])
        expectRefused(await save(t, change), JSON.stringify(change))
    },
  },
  {
    id: 'webhooks/actions-want-their-fields',
    title: 'without the required fields of its action an integration is refused, or all its events are refused',
    rules: ['HOOK-18', 'HOOK-20', 'HOOK-21', 'HOOK-23', 'HOOK-25'],
    needs,
    run: async (t) => {
      const byKey = { action: 'message', match: 'key', conversationKeyField: 'k' }
      const reset = { ...BY_ID, action: 'reset', match: undefined, messageField: undefined }
      const cancel = { action: 'cancel', messageField: undefined, runIdField: 'run' }
      for (const complete of [{}, byKey, BY_ID, reset, { ...reset, busyPolicy: 'cancel_and_reset' }, cancel])
        await saved(t, complete)
      for (const lacking of [
        { messageField: undefined },
        { ...byKey, messageField: undefined },
        { ...byKey, conversationKeyField: undefined },
        { ...BY_ID, conversationIdField: undefined },
        { ...BY_ID, generationField: undefined },
        { ...reset, conversationIdField: undefined },
        { ...reset, generationField: undefined },
        { ...reset, busyPolicy: 'wait' },
        { ...cancel, runIdField: undefined },
      ])
        await expectNoAdmission(t, lacking)
    },
  },
  {
    id: 'webhooks/configuration-decides',
    title: 'changed fields, event types, subject and enabled state of a configuration take effect at once',
    rules: ['HOOK-04', 'HOOK-07', 'HOOK-08', 'HOOK-15'],
    needs: changing,
    run: async (t) => {
      const integration = await saved(t)
      const change = async (settings: WebhookSettings) =>
        granted(await t.driver.changeWebhook(integration.integrationId, settings), JSON.stringify(settings))
      const event = { ...eventOf({ text: 'old place' }), note: 'new place' }
      const id = t.fresh('event')
      const first = await deliver(t, integration, event, { id })
      expectStatus(first, 200, 202)
      const subject = t.fresh('webhook')
      await change({ messageField: 'note', subject })
      if (t.profile === 'reference')
        assert.deepEqual(
          (await deliver(t, integration, event, { id })).body,
          first.body,
          'a repeat of an earlier event did not get its first answer',
        )
      const { conversation_id } = await accept(t, integration, event)
      const inputs = await inputsOf(t, { ...integration, subject }, conversation_id)
      assert.deepEqual(
        inputs.map(({ content }) => content.text),
        ['new place'],
      )
      await change({ eventTypes: ['conformance.other'] })
      expectRefusal(await deliver(t, integration, event), 403)
      await accept(t, integration, { ...event, event: { type: 'conformance.other' } })
      await change({ eventTypes: ['conformance.event'], enabled: false })
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
      for (const endpointId of [foreign, 'ep_nobody'])
        expectRefused(await save(t, { endpointId }), `the service ${endpointId}`)
      const other = await saved(t, { app: 'second', endpointId: foreign })
      const { run_id } = await accept(t, other, eventOf({ text: 'hello' }))
      expectStatus(await t.caller({ app: 'second', subject: other.subject }).run(run_id), 200)
      expectRefusal(await t.caller({ subject: other.subject }).run(run_id), 404)
    },
  },
  {
    id: 'webhooks/fields-of-other-actions',
    title: 'an integration with fields of other actions is refused, or performs only its own action',
    rules: ['HOOK-75'],
    needs,
    run: async (t) => {
      const actions: readonly AnySettings[] = [
        { action: 'new' },
        { action: 'message', match: 'key' },
        { action: 'message', match: 'id' },
        { action: 'reset', busyPolicy: 'cancel_and_reset' },
        { action: 'cancel' },
      ]
      for (const settings of actions) {
        const outcome = await save(t, { ...ALL_FIELDS, ...settings, subject: t.me.subject })
        if (outcome.refused !== undefined) continue
        const key = t.fresh('order')
        const [keyed, idle, busy] = [
          await t.conversation({ conversation_key: key }),
          await t.conversation(),
          await t.conversation(),
        ]
        const runId = await admitHanging(t, busy)
        const event = {
          ...eventOf({ text: 'hello' }),
          k: key,
          c: { id: idle.conversation_id, generation: 1 },
          run: runId,
        }
        const integration = { ...outcome, subject: t.me.subject }
        expectStatus(await deliver(t, integration, event), 202)
        const { action, match } = settings
        t.note(`${action} ${match ?? ''} with the fields of all actions`)
        if (action === 'reset')
          await t.until(
            'the reset has succeeded',
            () => generationOf(t, idle),
            (generation) => generation === 2,
          )
        if (action === 'cancel') await t.runEnded(runId)
        const effects = {
          byKey: (await inputsOf(t, integration, keyed.conversation_id)).length,
          byId: (await inputsOf(t, integration, idle.conversation_id)).length,
          generation: await generationOf(t, idle),
          state: (await readRun(t, runId)).state,
        }
        assert.deepEqual(effects, {
          byKey: match === 'key' ? 1 : 0,
          byId: match === 'id' ? 1 : 0,
          generation: action === 'reset' ? 2 : 1,
          state: action === 'cancel' ? 'cancelled' : 'running',
        })
        await t.me.cancel(runId)
      }
    },
  },
]
