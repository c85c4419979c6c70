import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { upload } from '../../../kit/steps/attachments.ts'
import { countInputs } from '../../../kit/steps/keyed-operations.ts'
import { admitHanging, cancelRun } from '../../../kit/steps/runs.ts'
import { inputsIn } from '../../../kit/steps/snapshots.ts'

const BODY_BYTES = 1024 * 1024
const TEXT_BYTES = 64 * 1024

/** A text of this many bytes. If the letter does not fill them exactly, it ends with the letter a. */
const filled = (bytes: number, letter: string): string => {
  const size = Buffer.byteLength(letter)
  return letter.repeat(Math.floor(bytes / size)) + 'a'.repeat(bytes % size)
}

/** Texts of this many bytes, from letters of one to four bytes each. */
const textsOf = (bytes: number): readonly string[] => ['a', 'é', '漢', '🙂'].map((letter) => filled(bytes, letter))

/** Messages of this many bytes, by the kind of their padding. */
function bodiesOf(t: ServerContext, bytes: number): Readonly<Record<string, string>> {
  const message = { expected_generation: 1, input: t.script({ succeed: { text: 'done' } }) }
  const plain = JSON.stringify(message)
  const padded = (letter: string): string => {
    const fill = (padding: string) =>
      JSON.stringify({ ...message, input: { ...message.input, data: { ...message.input.data, padding } } })
    return fill(filled(bytes - Buffer.byteLength(fill('')), letter))
  }
  const within = plain.length - 1
  const spaced = `${plain.slice(0, within)}${' '.repeat(bytes - plain.length)}${plain.slice(within)}`
  return { 'white space': spaced, data: padded('d'), 'data of two-byte letters': padded('é') }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/message-of-1-mebibyte',
    title: 'a message request of exactly 1 MiB is admitted, one byte more is refused, counted in bytes as sent',
    rules: ['LIMIT-01'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const send = (body: string) => t.me.postText(`/conversations/${id}/messages`, body)
      for (const [what, body] of Object.entries(bodiesOf(t, BODY_BYTES + 1))) {
        assert.equal(Buffer.byteLength(body), BODY_BYTES + 1)
        const { status } = await send(body)
        assert.ok(
          status === 413 || status === 400,
          `1 MiB and one byte, padded with ${what}, was answered with ${status}`,
        )
      }
      assert.equal(await countInputs(t.me, id), 0, 'a refused message is in the history')
      for (const [what, body] of Object.entries(bodiesOf(t, BODY_BYTES))) {
        assert.equal(Buffer.byteLength(body), BODY_BYTES)
        const { status, text } = await send(body)
        assert.equal(status, 202, `1 MiB, padded with ${what}, was refused: ${text.slice(0, 300)}`)
      }
    },
  },
  {
    id: 'limits/text-of-64-kibibytes',
    title: 'an input.text of 65,536 bytes of UTF-8 is admitted whole, one of 65,537 bytes is refused',
    rules: ['LIMIT-03'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      for (const text of textsOf(TEXT_BYTES + 1)) expectRefusal(await t.me.send(id, { text }), 400, 'INVALID_REQUEST')
      assert.equal(await countInputs(t.me, id), 0)
      const texts = textsOf(TEXT_BYTES)
      for (const text of texts) expectStatus(await t.me.send(id, { text }), 202)
      const submitted = (await inputsIn(t, id)).map(({ content }) => content.text)
      assert.deepEqual(submitted, texts, 'the history does not show the complete text of 64 KiB')
    },
  },
  {
    id: 'limits/five-attachments',
    title: 'a message may have 5 different attachments; 6, or the same one twice, are refused',
    rules: ['LIMIT-04'],
    tags: ['limit'],
    run: async (t) => {
      const ids = await Promise.all(Array.from({ length: 6 }, async () => (await upload(t)).resource_id))
      const { conversation_id: id } = await t.conversation()
      const five = ids.slice(0, 5)
      const [first = ''] = ids
      for (const refused of [ids, [first, first], [...ids.slice(0, 4), first]])
        expectRefusal(await t.me.send(id, { text: 'x', resource_ids: refused }), 400, 'INVALID_REQUEST')
      assert.equal(await countInputs(t.me, id), 0)
      expectStatus(await t.me.send(id, { text: 'x', resource_ids: five }), 202)
      expectStatus(await t.me.send(id, { resource_ids: [first] }), 202)
    },
  },
  {
    id: 'limits/twenty-queued-runs',
    title: '20 runs of a conversation can be queued; the 21st is 429 with Retry-After until one leaves the queue',
    rules: ['LIMIT-11'],
    tags: ['limit'],
    run: async (t) => {
      const conversation = await t.conversation()
      const { conversation_id: id } = conversation
      await admitHanging(t, conversation)
      for (let queued = 0; queued < 19; queued += 1) expectStatus(await t.me.send(id, { text: `${queued}` }), 202)
      const last = expectStatus(await t.me.send(id, { text: 'the 20th' }), 202).body
      const answer = expectRefusal(await t.me.send(id, { text: 'the 21st' }), 429)
      assert.match(answer.headers['retry-after'] ?? '', /\S/, 'the 429 has no Retry-After')
      await cancelRun(t, last.run_id)
      expectStatus(await t.me.send(id, { text: 'in its place' }), 202)
      expectRefusal(await t.me.send(id, { text: 'the 21st again' }), 429)
    },
  },
  {
    id: 'limits/twenty-queued-runs-at-once',
    title: 'of simultaneous messages exactly as many are admitted as the queue has room for',
    rules: ['LIMIT-11'],
    tags: ['limit', 'race'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      for (let queued = 0; queued < 15; queued += 1) await t.admit(conversation, { text: 'queued' })
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => t.me.send(conversation.conversation_id, { text: 'at once' })),
      )
      const admitted = answers.filter((answer) => expectStatus(answer, 202, 429).status === 202).length
      assert.equal(admitted, 5, `${admitted} simultaneous messages were admitted to a queue with room for 5`)
    },
  },
]
