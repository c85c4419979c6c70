import assert from 'node:assert/strict'
import type { Caller, CallOptions } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import type { RecordIds } from '../../../kit/steps/records.ts'
import { finishedRecords, readAll } from '../../../kit/steps/records.ts'
import { ask, bearerRoutes } from '../../../kit/steps/routes.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const swapCase = (text: string): string =>
  [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('')

/** The key with the case of its second half swapped. In an alphabet of 64 characters that is another secret. */
const withOtherCase = (key: string): string => {
  const secretAt = key.length - Math.floor(key.length / 2)
  return key.slice(0, secretAt) + swapCase(key.slice(secretAt))
}

/** Replaces the last character so that the secret also differs as base64, where the last bits are padding. */
const changeLast = (key: string): string => `${key.slice(0, -1)}${/[A-D]$/.test(key) ? 'w' : 'A'}`

/** Well-formed keys that do not belong to an application. */
const unknownKeys = (t: ServerContext): Readonly<Record<string, string>> => {
  const [key, otherKey] = [t.config.apps.first.key, t.config.apps.second.key]
  const keys = {
    'never issued': `gk_${t.fresh('key')}_${t.fresh('secret')}`,
    'with another last character': changeLast(key),
    'without its last character': key.slice(0, -1),
    'with one extra character': `${key}A`,
    'in another case': withOtherCase(key),
    'with the secret of the other application': key.slice(0, -20) + otherKey.slice(-20),
  }
  // If keys are short, a changed key can equal a valid one.
  return Object.fromEntries(Object.entries(keys).filter(([, unknown]) => unknown !== key && unknown !== otherKey))
}

/** Header values that do not carry a key in the required form. */
const malformed = (key: string): Readonly<Record<string, string>> => ({
  empty: '',
  'the scheme alone': 'Bearer',
  'an empty key': 'Bearer ',
  'a key without a scheme': key,
  'another scheme': `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  'a key under another scheme': `Token ${key}`,
  'a longer scheme': `Bearerx ${key}`,
  'two keys': `Bearer ${key} ${key}`,
  'two keys with a comma': `Bearer ${key}, Bearer ${key}`,
  'a quoted key': `Bearer "${key}"`,
})

const expect401 = (answer: Answer): void => {
  expectRefusal(answer, 401, 'UNAUTHENTICATED')
  assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer( |$)/, 'WWW-Authenticate of a 401')
}

/** Expects every bearer route to refuse these headers, and all records to stay unchanged. */
async function expectRefusedEverywhere(
  t: ServerContext,
  attempt: CallOptions['headers'],
  refuse: (answer: Answer) => void,
  caller: Caller = t.me,
): Promise<void> {
  const ids: RecordIds = await finishedRecords(t)
  const before = await readAll(t, ids)
  for (const route of bearerRoutes(t)) refuse(await ask(caller, route, ids, { headers: { ...attempt } }))
  assert.deepEqual(await readAll(t, ids), before, 'a request without a valid key had an effect')
}

const expectNoAccess = (answer: Answer): void => {
  expectStatus(answer, 401, 403)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'authentication/key-required-everywhere',
    title: 'every bearer route refuses a request without a key, with 401 or 403 and without effect',
    rules: ['AUTH-01', 'ERR-03'],
    tags: ['security'],
    streams: 1,
    run: (t) => expectRefusedEverywhere(t, { authorization: null }, expectNoAccess),
  },
  {
    id: 'authentication/unknown-key-refused-everywhere',
    title: 'every bearer route refuses a key that differs from a valid one in its last character, without effect',
    rules: ['AUTH-01', 'ERR-03'],
    tags: ['security'],
    streams: 1,
    run: (t) =>
      expectRefusedEverywhere(t, {}, expectNoAccess, t.caller({ apiKey: changeLast(t.config.apps.first.key) })),
  },
  {
    id: 'authentication/key-in-no-other-place',
    title: 'a key is accepted only in the Authorization header, not in a query, a cookie or another header',
    rules: ['AUTH-01'],
    tags: ['security'],
    run: async (t) => {
      const { key } = t.config.apps.first
      const { conversation_id: id } = await t.conversation()
      const path = `/conversations/${id}`
      const authorization = null
      const attempts = [
        t.me.get(`${path}?access_token=${key}&api_key=${key}&key=${key}&authorization=Bearer%20${key}`, {
          headers: { authorization },
        }),
        ...['x-api-key', 'api-key', 'x-authorization', 'proxy-authorization'].map((name) =>
          t.me.get(path, { headers: { authorization, [name]: `Bearer ${key}` } }),
        ),
        t.me.get(path, { headers: { authorization, 'x-api-key': key } }),
        t.me.get(path, { headers: { authorization, cookie: `authorization=Bearer ${key}; api_key=${key}` } }),
      ]
      // The route may refuse an unknown query parameter.
      for (const { status, request } of await Promise.all(attempts))
        assert.ok(status >= 400, `${request.path.replaceAll(key, '<key>')} answered ${status}`)
    },
  },
  {
    id: 'authentication/absent-key-is-401',
    title: 'every bearer route answers 401 UNAUTHENTICATED with WWW-Authenticate: Bearer to a request without a key',
    rules: ['AUTH-16', 'AUTH-19', 'ERR-25'],
    tags: ['security'],
    streams: 1,
    run: (t) => expectRefusedEverywhere(t, { authorization: null }, expect401),
  },
  {
    id: 'authentication/malformed-value-is-401',
    title: 'an Authorization value that is not one bearer key is 401 UNAUTHENTICATED',
    rules: ['AUTH-16', 'AUTH-19', 'ERR-25'],
    tags: ['security'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const [name, authorization] of Object.entries(malformed(t.config.apps.first.key))) {
        t.note(name)
        expect401(await t.me.get(`/conversations/${id}`, { headers: { authorization } }))
        expect401(await t.me.send(id, { text: 'x' }, { headers: { authorization } }))
      }
      const { runs } = await readSnapshot(t, id)
      assert.equal(runs.length, 0)
    },
  },
  {
    id: 'authentication/unknown-key-is-401',
    title: 'every bearer route answers 401 UNAUTHENTICATED with WWW-Authenticate: Bearer to an unknown key',
    rules: ['AUTH-17', 'AUTH-19', 'ERR-25'],
    tags: ['security'],
    streams: 1,
    run: (t) => expectRefusedEverywhere(t, {}, expect401, t.caller({ apiKey: changeLast(t.config.apps.first.key) })),
  },
  {
    id: 'authentication/nearly-right-key-is-401',
    title: 'a key with another secret is unknown, also if it is shorter, longer or differs in case',
    rules: ['AUTH-17'],
    tags: ['security'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const [name, apiKey] of Object.entries(unknownKeys(t))) {
        t.note(name)
        expect401(await t.caller({ apiKey }).snapshot(id))
      }
      expectStatus(await t.me.snapshot(id), 200)
    },
  },
  {
    id: 'authentication/wrong-secret-of-a-known-key-is-401',
    title: 'an existing key ID with another secret is refused',
    rules: ['AUTH-17'],
    tags: ['security'],
    needs: ['driver.createKey'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const [key, other] = await Promise.all([
        t.driver.createKey(['conversations:read']),
        t.driver.createKey(['conversations:read']),
      ])
      expectStatus(await t.caller({ apiKey: key }).snapshot(id), 200)
      // `gk_<key id>_<secret>`; the secret may contain an underscore.
      const secretOf = (one: string): string => one.slice(one.indexOf('_', 'gk_'.length) + 1)
      const known = key.slice(0, -secretOf(key).length)
      for (const apiKey of [changeLast(key), `${known}${secretOf(other)}`, key.slice(0, -1), `${key}a`])
        expect401(await t.caller({ apiKey }).snapshot(id))
    },
  },
  {
    id: 'authentication/scheme-in-any-case',
    title: 'the names of the header and of the scheme are accepted in any letter case',
    rules: ['AUTH-01'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      // HTTP allows any letter case for the scheme. The specification writes it as `Bearer`.
      for (const scheme of t.profile === 'core' ? ['Bearer'] : ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: null, AUTHORIZATION: `${scheme} ${t.config.apps.first.key}` }
        expectStatus(await t.me.get(`/conversations/${id}`, { headers }), 200)
      }
    },
  },
  {
    id: 'authentication/scheme-is-looked-at-everywhere',
    title: 'every bearer route refuses a valid key without a scheme or with a scheme other than Bearer',
    rules: ['AUTH-01', 'ERR-03'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const { key } = t.config.apps.first
      for (const authorization of [`Basic ${key}`, `Token ${key}`, key])
        await expectRefusedEverywhere(t, { authorization }, expectNoAccess)
    },
  },
]
