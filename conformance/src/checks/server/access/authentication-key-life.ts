import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { SCOPES } from '../../../kit/steps/processes.ts'

/** A revoked or expired key is refused everywhere within this time (D-04). */
const NOTICED_MS = 5000

const list = (t: ServerContext, apiKey: string): Promise<Answer> =>
  t.caller({ apiKey }).listConversations(`endpoint_id=${t.config.services.main}`)

interface CreatedKey {
  readonly key_id: string
  readonly key: string
}

/** Creates a key of the first application with this expiry time. */
const createExpiringKey = (t: ServerContext, expiresAtMs: number): Promise<CreatedKey> =>
  t.admin.call('POST', `/apps/${t.config.apps.first.appId}/keys`, {
    scopes: SCOPES,
    expires_at: new Date(expiresAtMs).toISOString(),
  })

export const checks: readonly ServerCheck[] = [
  {
    id: 'authentication/several-keys',
    title: 'an application has several active keys at once, each with its own scopes',
    rules: ['AUTH-12'],
    needs: ['driver.createKey'],
    run: async (t) => {
      const reader = await t.driver.createKey(['conversations:read'])
      const writer = await t.driver.createKey(['conversations:write'])
      const both = await t.driver.createKey(['conversations:read', 'conversations:write'])
      const { main } = t.config.services
      const create = (apiKey: string) => t.caller({ apiKey }).createConversation({ endpoint_id: main })
      for (let round = 0; round < 2; round += 1) {
        const statuses = [await list(t, reader), await list(t, writer), await list(t, both), await list(t, t.me.apiKey)]
        assert.deepEqual(
          statuses.map(({ status }) => status),
          [200, 403, 200, 200],
        )
        const created = [await create(reader), await create(writer), await create(both), await create(t.me.apiKey)]
        assert.deepEqual(
          created.map(({ status }) => status),
          [403, 201, 201, 201],
        )
      }
      const { conversation_id: id } = expectStatus(await create(both), 201).body
      assert.ok(
        (await list(t, reader)).text.includes(id),
        'a key does not list a conversation that another key of its application created',
      )
    },
  },
  {
    id: 'authentication/rotation',
    title: 'a key can be rotated without refused calls: add, switch over, revoke',
    rules: ['AUTH-14'],
    needs: ['driver.createKey', 'driver.revokeKey'],
    run: async (t) => {
      const [old, next] = [await t.driver.createKey(SCOPES), await t.driver.createKey(SCOPES)]
      for (const key of [old, next]) expectStatus(await list(t, key), 200)
      let revoked = false
      const statuses: number[] = []
      const calling = (async () => {
        while (!revoked) statuses.push((await list(t, next)).status)
      })()
      await t.driver.revokeKey(old)
      revoked = true
      await calling
      await t.until(
        'the revoked key is refused',
        () => list(t, old),
        ({ status }) => status === 401,
      )
      statuses.push((await list(t, next)).status, (await list(t, t.me.apiKey)).status)
      assert.deepEqual(new Set(statuses), new Set([200]))
    },
  },
  {
    id: 'authentication/ended-key-within-5-seconds',
    title: 'a revoked or expired key is refused within 5 seconds, and an open stream of the revoked key is ended',
    rules: ['AUTH-13', 'AUTH-15', 'AUTH-18', 'AUTH-19'],
    tags: ['slow', 'security'],
    needs: ['admin', 'appIds', 'driver.createKey', 'driver.revokeKey'],
    streams: 1,
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const revoked = await t.driver.createKey(SCOPES)
      const lasting = await t.driver.createKey(SCOPES)
      for (const key of [revoked, lasting]) expectStatus(await list(t, key), 200)
      const stream = await t.caller({ apiKey: revoked }).events(id)
      const expiresAtMs = t.now() + 2000
      const { key: expiring } = await createExpiringKey(t, expiresAtMs)
      const early = await list(t, expiring)
      if (t.now() < expiresAtMs) expectStatus(early, 200)
      await t.driver.revokeKey(revoked)
      await sleep(Math.max(NOTICED_MS, expiresAtMs + NOTICED_MS - t.now()))
      for (const key of [revoked, expiring]) {
        const answer = expectRefusal(await list(t, key), 401, 'UNAUTHENTICATED')
        assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer( |$)/)
        expectRefusal(await t.caller({ apiKey: key }).send(id, { text: 'x' }), 401, 'UNAUTHENTICATED')
      }
      expectStatus(await list(t, lasting), 200)
      await t.until(
        'the stream of the revoked key is ended',
        async () => stream.end(),
        (end) => end !== null,
      )
    },
  },
  {
    id: 'authentication/key-without-expiry',
    title: 'a key without an expiry time is accepted, and so is one that expires in an hour',
    rules: ['AUTH-13'],
    needs: ['admin', 'appIds', 'driver.createKey'],
    run: async (t) => {
      const { appId } = t.config.apps.first
      const { key: later, key_id: id } = await createExpiringKey(t, t.now() + 3_600_000)
      const endless = await t.driver.createKey(SCOPES)
      for (const key of [later, endless]) expectStatus(await list(t, key), 200)
      const { keys } = await t.admin.call<{ keys: { key_id: string; expires_at: string | null }[] }>(
        'GET',
        `/apps/${appId}/keys?limit=100`,
      )
      assert.equal(typeof keys.find(({ key_id }) => key_id === id)?.expires_at, 'string')
    },
  },
  {
    id: 'authentication/new-key',
    title: 'a new key works at once, even after its ID was tried with wrong secrets',
    rules: ['AUTH-17', 'AUTH-25'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { key } = await createExpiringKey(t, t.now() + 3_600_000)
      for (const end of ['AAAAAAAA', 'BBBBBBBB', 'AAAAAAAA'])
        expectRefusal(await list(t, `${key.slice(0, -end.length)}${end}`), 401, 'UNAUTHENTICATED')
      expectStatus(await list(t, key), 200)
    },
  },
  {
    id: 'authentication/key-form',
    title: 'a created key has the form gk_<key id>_<secret>',
    rules: ['AUTH-07'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const { key, key_id: id } = await createExpiringKey(t, t.now() + 60_000)
      const own = id.replace(/^key_/, '')
      assert.ok(
        [id, own].some((form) => key.startsWith(`gk_${form}_`)),
        'the key does not contain its ID after gk_',
      )
      expectStatus(await list(t, key), 200)
    },
  },
  {
    id: 'authentication/secret-size',
    title: 'the secrets of created keys have room for 256 bits, and vary at each position before the last',
    rules: ['AUTH-08'],
    tags: ['security'],
    needs: ['driver.createKey'],
    run: async (t) => {
      const keys: string[] = []
      for (let count = 0; count < 6; count += 1) keys.push(await t.driver.createKey(['runs:read']))
      const secrets = keys.map((key) => /^gk_(?:key_)?[^_]+_(.+)$/.exec(key)?.[1] ?? '')
      const alphabet = /^[0-9a-f]*$/.test(secrets.join('')) ? 16 : /^[0-9a-z]*$/.test(secrets.join('')) ? 36 : 64
      for (const secret of secrets) {
        const bits = secret.length * Math.log2(alphabet)
        assert.ok(
          bits >= 256,
          `a secret of ${secret.length} characters out of ${alphabet} has ${Math.floor(bits)} bits`,
        )
      }
      // The last character of an encoding may carry few bits.
      for (let at = 0; at < (secrets[0]?.length ?? 0) - 1; at += 1)
        assert.ok(new Set(secrets.map((secret) => secret[at])).size > 1, `character ${at} is the same in all secrets`)
    },
  },
  {
    id: 'authentication/key-shown-once',
    title: 'the secret of a key is shown when it is created and in no later read',
    rules: ['AUTH-10'],
    tags: ['security'],
    needs: ['admin', 'appIds'],
    run: async (t) => {
      const app = `/apps/${t.config.apps.first.appId}`
      const { key, key_id: id } = await createExpiringKey(t, t.now() + 60_000)
      const secret = key.slice(key.lastIndexOf(id.replace(/^key_/, '')) + id.replace(/^key_/, '').length + 1)
      assert.ok(secret.length >= 32, 'the answer that creates a key does not show all of it')
      const reads = [
        await t.admin.request('GET', app),
        await t.admin.request('GET', '/apps?limit=100'),
        await t.admin.request('GET', `${app}/keys?limit=100`),
      ]
      assert.ok(reads[2]?.text.includes(id), 'the key is not listed')
      const revoked = await t.admin.request('POST', `${app}/keys/${id}/revoke`)
      for (const { request, text } of [...reads, revoked])
        assert.ok(!text.includes(secret.slice(0, 24)), `${request.path} shows the secret`)
    },
  },
]
