import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf } from '../../../kit/server/webhook-sender.ts'
import { saved } from '../../../kit/steps/webhook-administration.ts'
import { accept } from '../../../kit/steps/webhooks.ts'

const needs = ['driver.saveWebhook'] as const
const reading = [...needs, 'driver.readWebhook'] as const
const rotating = [...needs, 'driver.rotateWebhookSecret'] as const
/** The number of characters that 256 bits need in base64, the densest common encoding. */
const LEAST_CHARACTERS = 43
const OVERLAP_SECONDS = 600

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/secret-is-generated',
    title: 'saving an integration generates its secret and shows the full URL that receives its events',
    rules: ['HOOK-32', 'HOOK-36'],
    needs,
    run: async (t) => {
      const [one, two] = [await saved(t), await saved(t)]
      assert.ok(one.secret.length > 0 && one.secret !== two.secret, 'each integration must have its own secret')
      const { pathname, protocol } = new URL(one.url)
      assert.ok(['http:', 'https:'].includes(protocol))
      assert.ok(pathname.endsWith(`/api/v1/webhooks/${one.integrationId}`), `${one.url} is not the full URL`)
      await accept(t, one, eventOf({ text: 'hello' }))
      expectRefusal(await deliver(t, { ...one, secret: two.secret }, eventOf({ text: 'hello' })), 401)
    },
  },
  {
    id: 'webhooks/secret-is-not-readable',
    title: 'no later answer shows the secret of an integration',
    rules: ['HOOK-33'],
    tags: ['security'],
    needs: [...reading, 'driver.changeWebhook'],
    run: async (t) => {
      const { integrationId, secret } = await saved(t)
      const shown = [
        await t.driver.readWebhook(integrationId),
        await t.driver.changeWebhook(integrationId, { eventTypes: ['conformance.other'] }),
        await t.driver.readWebhook(integrationId),
      ]
      for (const one of shown) assert.ok(!JSON.stringify(one).includes(secret), 'the secret can be read')
    },
  },
  {
    id: 'webhooks/secret-is-rotated',
    title: 'after a rotation the new secret is accepted and the old one is not',
    rules: ['HOOK-34'],
    tags: ['security'],
    needs: rotating,
    run: async (t) => {
      const integration = await saved(t)
      const event = eventOf({ text: 'hello' })
      await accept(t, integration, event)
      const secret = await t.driver.rotateWebhookSecret(integration.integrationId)
      assert.ok(secret !== integration.secret, 'a rotation must create a different secret')
      expectRefusal(await deliver(t, integration, event), 401)
      await accept(t, { ...integration, secret }, event)
    },
  },
  {
    id: 'webhooks/secrets-overlap',
    title:
      'after a rotation both secrets are accepted until its overlap ends; without an overlap only the new one is accepted',
    rules: ['HOOK-73'],
    tags: ['security'],
    alone: 'all',
    needs: [...rotating, 'driver.moveClock'],
    run: async (t) => {
      const first = await saved(t)
      const { integrationId } = first
      const deliverBy = (secret: string) => deliver(t, { ...first, secret }, eventOf({ text: 'hello' }))
      const second = await t.driver.rotateWebhookSecret(integrationId, OVERLAP_SECONDS)
      for (const secret of [first.secret, second]) expectStatus(await deliverBy(secret), 202)
      await t.driver.moveClock((OVERLAP_SECONDS + 1) * 1000)
      expectRefusal(await deliverBy(first.secret), 401)
      expectStatus(await deliverBy(second), 202)
      const third = await t.driver.rotateWebhookSecret(integrationId)
      expectRefusal(await deliverBy(second), 401)
      expectStatus(await deliverBy(third), 202)
    },
  },
  {
    id: 'webhooks/secret-has-256-bits',
    title: 'generated secrets are long enough for 256 bits, and have no part in common',
    rules: ['HOOK-67'],
    tags: ['security'],
    needs: rotating,
    run: async (t) => {
      const integrations = await Promise.all(Array.from({ length: 6 }, () => saved(t)))
      const rotated = await t.driver.rotateWebhookSecret(integrations[0]?.integrationId ?? '')
      const random = [...integrations.map(({ secret }) => secret), rotated].map((secret) =>
        secret.replace(/^[a-z]+_/, ''),
      )
      for (const text of random)
        assert.ok(/^[0-9a-f]{64,}$/.test(text) || (!/^[0-9a-f]+$/.test(text) && text.length >= LEAST_CHARACTERS))
      for (const from of [0, 8, 16, 24, 32])
        assert.equal(new Set(random.map((text) => text.slice(from, from + 8))).size, random.length)
    },
  },
  {
    id: 'webhooks/secret-is-shown-once',
    title: 'a secret is shown only when its integration is saved or the secret rotated; saving also shows the full URL',
    rules: ['HOOK-68', 'HOOK-70'],
    needs: [...reading, 'driver.rotateWebhookSecret'],
    run: async (t) => {
      const integration = await saved(t)
      const { integrationId, secret: old } = integration
      assert.ok(integration.url.includes(integrationId), `${integration.url} is not the receiving URL`)
      const secret = await t.driver.rotateWebhookSecret(integrationId)
      assert.notEqual(secret, old)
      const shown = JSON.stringify(await t.driver.readWebhook(integrationId))
      for (const one of [old, secret]) assert.ok(!shown.includes(one), 'a secret is shown again')
      await accept(t, { ...integration, secret }, eventOf({ text: 'hello' }))
    },
  },
]
