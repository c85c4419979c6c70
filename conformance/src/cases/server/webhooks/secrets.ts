import assert from 'node:assert/strict'
import { type SavedIntegration, saved } from '../../../steps/server/webhook-administration.ts'
import { accept } from '../../../steps/server/webhooks.ts'
import { expectRefusal, expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'
import { deliver, eventOf } from '../../../targets/server/webhook-sender.ts'

const needs = ['admin', 'appIds'] as const
/** Letters and digits that carry 256 bits in the densest usual writing, base64. */
const LEAST_CHARACTERS = 43

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/secret-is-generated',
    title: 'saving an integration generates its secret and shows the full URL that events are received at',
    rules: ['HOOK-32', 'HOOK-36'],
    needs,
    run: async (t) => {
      const [one, two] = [await saved(t), await saved(t)]
      assert.ok(one.secret.length > 0 && one.secret !== two.secret, 'each integration has a secret of its own')
      const { pathname, protocol } = new URL(one.record.url)
      assert.ok(['http:', 'https:'].includes(protocol))
      assert.ok(pathname.endsWith(`/api/v1/webhooks/${one.integrationId}`), `${one.record.url} is the full URL`)
      await accept(t, one, eventOf({ text: 'hello' }))
      expectRefusal(await deliver(t, { ...one, secret: two.secret }, eventOf({ text: 'hello' })), 401)
    },
  },
  {
    id: 'webhooks/secret-is-not-readable',
    title: 'no later answer shows the secret of an integration',
    rules: ['HOOK-33'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const { integrationId, secret } = await saved(t)
      const path = `/webhooks/${integrationId}`
      const answers = [
        await t.admin.request('GET', path),
        await t.admin.request('GET', '/webhooks?limit=200'),
        await t.admin.request('PATCH', path, { json: { event_types: ['conformance.other'] } }),
        await t.admin.request('PATCH', path, { json: { enabled: false } }),
      ]
      for (const answer of answers)
        assert.ok(!expectStatus(answer, 200).text.includes(secret), `${answer.request.path} shows the secret`)
    },
  },
  {
    id: 'webhooks/secret-is-rotated',
    title: 'after a rotation the new secret counts and the old one does not',
    rules: ['HOOK-34'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const integration = await saved(t)
      const event = eventOf({ text: 'hello' })
      await accept(t, integration, event)
      const rotated = await t.admin.call<SavedIntegration>(
        'POST',
        `/webhooks/${integration.integrationId}/rotate-secret`,
      )
      assert.ok(rotated.secret !== undefined && rotated.secret !== integration.secret)
      expectRefusal(await deliver(t, integration, event), 401)
      await accept(t, { ...integration, secret: rotated.secret }, event)
    },
  },
  {
    id: 'webhooks/secret-has-256-bits',
    title: 'generated secrets are long enough for 256 bits, and no two have a part in common',
    rules: ['HOOK-67'],
    tags: ['security'],
    needs,
    run: async (t) => {
      const integrations = await Promise.all(Array.from({ length: 6 }, () => saved(t)))
      const rotated = await t.admin.call<SavedIntegration>(
        'POST',
        `/webhooks/${integrations[0]?.integrationId}/rotate-secret`,
      )
      const random = [...integrations.map(({ secret }) => secret), rotated.secret ?? ''].map((secret) =>
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
    title: 'secret and full URL are shown when an integration is saved or its secret rotated, and at no other time',
    rules: ['HOOK-68', 'HOOK-70'],
    needs,
    run: async (t) => {
      const { integrationId, secret, record } = await saved(t)
      const path = `/webhooks/${integrationId}`
      const rotated = await t.admin.call<SavedIntegration>('POST', `${path}/rotate-secret`)
      assert.ok(rotated.secret !== undefined && rotated.secret !== secret)
      assert.equal(rotated.url, record.url, 'a rotation keeps the URL')
      const read = expectStatus(await t.admin.request<SavedIntegration>('GET', path), 200)
      assert.equal(read.body.secret, undefined)
      assert.equal(read.body.url, record.url)
      for (const shown of [secret, rotated.secret]) assert.ok(!read.text.includes(shown))
      await accept(t, { integrationId, secret: rotated.secret, subject: record.subject }, eventOf({ text: 'hello' }))
    },
  },
  {
    id: 'webhooks/secrets-overlap',
    title: 'a rotation with an overlap leaves both secrets in use, and the next one without leaves the newest alone',
    rules: ['HOOK-73'],
    needs,
    run: async (t) => {
      const first = await saved(t)
      const rotate = async (query: string) => {
        const path = `/webhooks/${first.integrationId}/rotate-secret${query}`
        return (await t.admin.call<SavedIntegration>('POST', path)).secret ?? ''
      }
      const statuses = (secrets: readonly string[]): Promise<number[]> =>
        Promise.all(
          secrets.map(async (secret) => (await deliver(t, { ...first, secret }, eventOf({ text: 'hello' }))).status),
        )
      const second = await rotate('?overlap_seconds=600')
      assert.deepEqual(await statuses([first.secret, second]), [202, 202])
      const third = await rotate('?overlap_seconds=600')
      assert.deepEqual(await statuses([first.secret, second, third]), [401, 202, 202])
      const fourth = await rotate('')
      assert.deepEqual(await statuses([second, third, fourth]), [401, 401, 202])
      for (const overlap of ['86401', '-1', 'long'])
        expectRefusal(
          await t.admin.request('POST', `/webhooks/${first.integrationId}/rotate-secret?overlap_seconds=${overlap}`),
          400,
        )
    },
  },
  {
    id: 'webhooks/overlap-ends',
    title: 'the old secret counts no more when the overlap has ended',
    rules: ['HOOK-73'],
    tags: ['security'],
    needs: [...needs, 'driver.moveClock'],
    alone: 'all',
    run: async (t) => {
      const integration = await saved(t)
      const rotated = await t.admin.call<SavedIntegration>(
        'POST',
        `/webhooks/${integration.integrationId}/rotate-secret?overlap_seconds=86400`,
      )
      // What follows a believed signature is not asked here: devices are silent for a moment after the clock was moved.
      const believed = async (secret: string): Promise<boolean> =>
        (await deliver(t, { ...integration, secret }, eventOf({ text: 'hello' }))).status !== 401
      await t.driver.moveClock(86_400_000 - 600_000)
      assert.ok(await believed(integration.secret), 'it counts to the end of the overlap')
      await t.driver.moveClock(600_000)
      assert.ok(!(await believed(integration.secret)), 'it counts after the overlap')
      assert.ok(await believed(rotated.secret ?? ''))
    },
  },
]
