import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import {
  allKeyedOperations,
  type KeyedOperation,
  keyedOperations,
  perform,
} from '../../../kit/steps/keyed-operations.ts'

/** Every visible ASCII character, `!` to `~`. */
const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')

/** A key of this length with a unique beginning, and with every visible character if it is long enough. */
const keyOf = (t: ServerContext, characters: number): string =>
  `${t.fresh('')}${VISIBLE}`.padEnd(characters, 'k').slice(0, characters)

/** Values that HTTP allows in a header, but that are not valid keys. */
const malformedKeys = (t: ServerContext): readonly (readonly [what: string, key: string | readonly string[]])[] => [
  ['an empty key', ''],
  ['a key of 129 characters', keyOf(t, 129)],
  ['a key of 1024 characters', keyOf(t, 1024)],
  ['a key with a space', `${t.fresh()} ${t.fresh()}`],
  ['a key with a tab', `${t.fresh()}\t${t.fresh()}`],
  ['a key with a letter outside ASCII', `${t.fresh()}é`],
  ['a key with a non-breaking space', `${t.fresh()}\u00a0${t.fresh()}`],
]

const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500

async function expectMalformedRefused(
  t: ServerContext,
  operation: KeyedOperation,
  verify: (answer: Answer) => void,
): Promise<void> {
  const before = await operation.observe()
  for (const [what, key] of malformedKeys(t)) {
    const answer = await t.me.post(operation.path, operation.json, { headers: { 'idempotency-key': key } })
    assert.ok(isRefused(answer), `expected a 4xx for ${operation.name} with ${what}, got ${answer.status}`)
    verify(answer)
  }
  assert.deepEqual(await operation.observe(), before, `${operation.name} had an effect although its key was malformed`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'idempotency/longest-key',
    title: 'every keyed operation accepts a key of 128 characters that has every visible ASCII character',
    rules: ['IDEM-02', 'LIMIT-06'],
    tags: ['limit'],
    run: async (t) => {
      for (const operation of await keyedOperations(t))
        expectStatus(await perform(operation, t.me, { key: keyOf(t, 128) }), 200, 201, 202)
    },
  },
  {
    id: 'idempotency/shortest-key',
    title: 'every keyed operation accepts a key of one character',
    rules: ['IDEM-02', 'LIMIT-06'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const operations = await keyedOperations(t)
      for (const [at, operation] of operations.entries()) {
        const answer = await perform(operation, t.me, { key: '!0a~'.charAt(at) })
        // Only D-11 decides that each subject has its own keys. In `core` another subject may have used this short key.
        if (t.profile === 'core' && answer.status === 409) expectRefusal(answer, 409, 'IDEMPOTENCY_CONFLICT')
        else expectStatus(answer, 200, 201, 202)
      }
    },
  },
  {
    id: 'idempotency/malformed-keys-are-refused',
    title: 'every keyed operation refuses an empty key, one beyond 128 characters and one with other characters',
    rules: ['IDEM-02', 'LIMIT-06'],
    tags: ['limit'],
    run: async (t) => {
      for (const operation of await keyedOperations(t)) await expectMalformedRefused(t, operation, () => {})
    },
  },
  {
    id: 'idempotency/keys-differ-in-every-character',
    title: 'keys that differ in their case, their last character or their length are different keys',
    rules: ['IDEM-02'],
    run: async (t) => {
      const long = keyOf(t, 127)
      const short = t.fresh('Key')
      const keys = [`${long}a`, `${long}b`, `${long}A`, long, short, short.toLowerCase(), `${short}0`, `0${short}`]
      const ids = new Set<string>()
      for (const key of keys) {
        const answer = await t.me.createConversation({ endpoint_id: t.config.services.main }, { key })
        ids.add(expectStatus(answer, 201).body.conversation_id)
      }
      assert.equal(ids.size, keys.length, `${keys.length} creations with different keys made ${ids.size} conversations`)
    },
  },
  {
    id: 'idempotency/creation-without-key',
    title: 'a creation without Idempotency-Key is refused and creates nothing',
    rules: ['IDEM-03'],
    run: async (t) => {
      const creation = { endpoint_id: t.config.services.main, conversation_key: t.fresh('order') }
      const answer = await t.me.request('POST', '/conversations', { json: creation })
      assert.ok(isRefused(answer), `expected a 4xx for a creation without Idempotency-Key, got ${answer.status}`)
      expectStatus(await t.me.createConversation(creation), 201)
    },
  },
  {
    id: 'idempotency/absent-key-is-invalid',
    title: 'each operation that takes a key answers its absence with 400 INVALID_REQUEST and does nothing',
    rules: ['IDEM-15'],
    run: async (t) => {
      for (const { name, path, json, observe } of await allKeyedOperations(t)) {
        const before = await observe()
        const answer = await t.me.request('POST', path, { json })
        expectRefusal(answer, 400, 'INVALID_REQUEST')
        assert.deepEqual(await observe(), before, `${name} had an effect without an Idempotency-Key`)
      }
    },
  },
  {
    id: 'idempotency/malformed-key-is-invalid',
    title: 'each operation that takes a key answers a malformed one with 400 INVALID_REQUEST and does nothing',
    rules: ['IDEM-16'],
    tags: ['limit'],
    run: async (t) => {
      for (const operation of await allKeyedOperations(t))
        await expectMalformedRefused(t, operation, (answer) => expectRefusal(answer, 400, 'INVALID_REQUEST'))
    },
  },
]
