import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { declare } from '../../../kit/steps/attachments.ts'
import { collectMembers, membersOf } from '../../../kit/steps/record-members.ts'

const PREFIXES: Readonly<Record<string, string>> = {
  conversation_id: 'conv_',
  message_id: 'msg_',
  run_id: 'run_',
  operation_id: 'op_',
  event_id: 'evt_',
}
const SUFFIX = /^[a-z0-9_-]+$/

/** Fails unless each ID has the prefix of its kind. Returns the IDs. */
function expectPrefixes(
  members: readonly { readonly source: string; readonly name: string; readonly value: unknown }[],
): string[] {
  const ids = members.filter(({ name, value }) => name in PREFIXES && value !== null)
  for (const { source, name, value } of ids)
    assert.ok(
      String(value).startsWith(PREFIXES[name] ?? ''),
      `${name} of ${source} is ${String(value)}, expected the prefix ${PREFIXES[name]}`,
    )
  return ids.map(({ value }) => String(value))
}

/** Waits until the next millisecond, so that the next record is created in a later one. */
const laterMillisecond = (t: ServerContext): Promise<number> => {
  const from = t.now()
  return t.until(
    'a later millisecond',
    async () => t.now(),
    (now) => now > from + 1,
  )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/ids-tell-their-kind',
    title: 'IDs of conversations, messages, runs, operations and events begin with conv_, msg_, run_, op_ and evt_',
    rules: ['GEN-18'],
    streams: 1,
    run: async (t) => {
      const members = await collectMembers(t)
      const ids = expectPrefixes(members)
      for (const prefix of Object.values(PREFIXES))
        assert.ok(
          ids.some((id) => id.startsWith(prefix)),
          `no record has an ID with the prefix ${prefix}`,
        )
      const events = members.filter(({ name }) => name === 'event_id').map(({ value }) => value)
      assert.equal(new Set(events).size, events.length, 'two events have the same event_id')
    },
  },
  {
    id: 'general/ids-are-url-safe',
    title: 'IDs that the gateway makes have a long suffix of lower-case, URL-safe characters',
    rules: ['GEN-20', 'GEN-21'],
    streams: 1,
    run: async (t) => {
      const made = ['conversation_id', 'message_id', 'run_id', 'operation_id', 'event_id', 'resource_id', 'request_id']
      const { body } = await t.me.run('run_nobody')
      const members = [...(await collectMembers(t)), ...membersOf('problem', body)]
      const ids = members.filter(({ name, value }) => made.includes(name) && value !== null)
      assert.deepEqual(new Set(ids.map(({ name }) => name)), new Set(made))
      for (const { name, value } of ids) {
        const suffix = String(value).slice(String(value).indexOf('_') + 1)
        assert.match(suffix, SUFFIX, `${name} ${String(value)} has characters other than a-z, 0-9, _ and -`)
        assert.ok(
          suffix.length >= 22,
          `${name} ${String(value)} has a suffix of ${suffix.length} characters, too short for 122 bits`,
        )
      }
    },
  },
  {
    id: 'general/ids-sort-by-time',
    title: 'an ID sorts after the IDs of its kind that were created in an earlier millisecond',
    rules: ['GEN-20'],
    run: async (t) => {
      const conversation = await t.conversation()
      const made: Record<string, string[]> = { conversation: [], run: [], message: [], operation: [], resource: [] }
      for (let round = 0; round < 5; round += 1) {
        made.conversation?.push((await t.conversation()).conversation_id)
        const { run_id, message_id } = await t.admit(conversation, t.script({ succeed: { text: 'x' } }))
        made.run?.push(run_id)
        made.message?.push(message_id)
        made.operation?.push((await t.me.cancel(run_id)).body.operation_id)
        made.resource?.push((await declare(t)).resource_id)
        await laterMillisecond(t)
      }
      for (const [kind, ids] of Object.entries(made))
        assert.deepEqual(ids, [...ids].sort(), `IDs of kind ${kind} do not sort by creation: ${ids.join(', ')}`)
    },
  },
  {
    id: 'general/ids-cannot-be-guessed',
    title: 'any two IDs created at the same time differ in at least 4 of their last 12 characters',
    rules: ['GEN-20'],
    tags: ['security'],
    run: async (t) => {
      const ids = (await Promise.all(Array.from({ length: 16 }, () => t.conversation()))).map((each) =>
        each.conversation_id.slice(-12),
      )
      for (let at = 0; at < 12; at += 1)
        assert.ok(
          new Set(ids.map((id) => id[at])).size > 1,
          `character ${at - 12} from the end is the same in all 16 IDs`,
        )
      for (const [at, id] of ids.entries())
        for (const other of ids.slice(at + 1)) {
          const different = [...id].filter((char, place) => char !== other[place]).length
          assert.ok(
            different >= 4,
            `two IDs end in ${id} and ${other}, which differ in ${different} characters, expected at least 4`,
          )
        }
    },
  },
  {
    id: 'general/attachment-ids',
    title: 'an ID of an attachment begins with res_',
    rules: ['GEN-23'],
    run: async (t) => {
      assert.match((await declare(t)).resource_id, /^res_[a-z0-9_-]{22,}$/)
    },
  },
]
