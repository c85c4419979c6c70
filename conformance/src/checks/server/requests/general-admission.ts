import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { readHistory, readSnapshot } from '../../../kit/steps/snapshots.ts'

/** The first value of the body that looks like the ID of a run; the specification does not define its place. */
function runIdIn(t: ServerContext, body: unknown): string {
  const found = /:"(run_[^"]+)"/.exec(JSON.stringify(body) ?? '')?.[1]
  return found ?? t.untestable('the answer to a direct run has no ID of a run (the specification does not require one)')
}

/** Sends a message to a new conversation. The assistant answers it after 200 ms. */
async function sendSlowMessage(t: ServerContext, text: string) {
  const conversation = await t.conversation()
  const input = { ...t.script({ sleep_ms: 200 }, { succeed: { text: `reply to ${text}` } }), text }
  return { conversation, answer: expectStatus(await t.me.send(conversation.conversation_id, input), 202), input }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/admission-waits-for-nobody',
    title: 'a 202 is sent while the assistant is still working, with a queued run and no reply',
    rules: ['GEN-10'],
    run: async (t) => {
      const { admission } = await t.start({ delta: 'a reply' }, { hang: true })
      assert.equal(admission.state, 'queued')
      assert.ok(!JSON.stringify(admission).includes('a reply'), 'the admission contains the reply of the assistant')
      assert.equal(Object(admission).result ?? null, null, 'the admission has a result')
      const input = t.script({ delta: 'a reply' }, { hang: true })
      const direct = await t.me.createRun(t.config.services.main, { input })
      assert.ok(
        direct.status >= 200 && direct.status < 300,
        `the direct run was answered with ${direct.status}, expected 2xx`,
      )
      assert.ok(!direct.text.includes('a reply'), 'the answer to the direct run contains the reply of the assistant')
      const { run_id } = admission
      await t.runIn(run_id, ['running'])
      await t.me.cancel(runIdIn(t, direct.body))
    },
  },
  {
    id: 'general/admitted-is-there-at-once',
    title: 'the message and the run of a 202 are readable at once by concurrent requests',
    rules: ['GEN-10'],
    tags: ['race'],
    run: async (t) => {
      await Promise.all(
        Array.from({ length: 8 }, async (_, at) => {
          const text = `message ${at}`
          const { conversation, answer } = await sendSlowMessage(t, text)
          const { run_id, message_id } = answer.body
          const [run, history, snapshot] = await Promise.all([
            t.me.run(run_id),
            t.me.history(conversation.conversation_id),
            t.me.snapshot(conversation.conversation_id),
          ])
          assert.equal(expectStatus(run, 200).body.message_id, message_id)
          const message = expectStatus(history, 200).body.messages.find((each) => each.message_id === message_id)
          assert.equal(
            message?.content.text,
            text,
            `the history does not have the admitted message ${message_id} with its text`,
          )
          assert.ok(
            expectStatus(snapshot, 200).body.runs.some((each) => each.run_id === run_id),
            `the snapshot does not have the admitted run ${run_id}`,
          )
        }),
      )
    },
  },
  {
    id: 'general/admitted-survives-a-kill',
    title: 'work accepted with a 202 is still stored if the gateway is killed right after the 202',
    rules: ['GEN-10'],
    tags: ['durability', 'slow'],
    needs: ['driver.restartServer'],
    alone: 'all',
    run: async (t) => {
      const sent = await Promise.all(Array.from({ length: 4 }, (_, at) => sendSlowMessage(t, `before the kill ${at}`)))
      const key = randomUUID()
      const directInput = t.script({ sleep_ms: 200 }, { succeed: { text: 'direct' } })
      const direct = await t.me.createRun(t.config.services.main, { input: directInput }, { key })
      await t.driver.restartServer()
      for (const { conversation, answer } of sent) {
        const { run_id, message_id } = answer.body
        expectStatus(await t.me.run(run_id), 200)
        const messages = await readHistory(t, conversation.conversation_id)
        assert.ok(
          messages.some((each) => each.message_id === message_id),
          `the history lost the admitted message ${message_id} when the gateway was killed`,
        )
      }
      expectStatus(await t.me.run(runIdIn(t, direct.body)), 200)
      const again = await t.me.createRun(t.config.services.main, { input: directInput }, { key })
      assert.equal(
        runIdIn(t, again.body),
        runIdIn(t, direct.body),
        'repeating the direct run after the kill created a new run instead of returning the first one',
      )
    },
  },
  {
    id: 'general/admission-race-with-reads',
    title:
      'a snapshot requested while messages are admitted has the run of every message whose 202 came before the request',
    rules: ['GEN-10'],
    tags: ['race'],
    run: async (t) => {
      const conversation = await t.conversation()
      const admitted: string[] = []
      let open = 6
      const sending = Promise.all(
        Array.from({ length: open }, async (_, at) => {
          try {
            const { run_id } = await t.admit(conversation, t.script({ succeed: { text: `${at}` } }))
            admitted.push(run_id)
          } finally {
            open -= 1
          }
        }),
      )
      const missing: string[] = []
      while (open > 0) {
        const known = [...admitted]
        const { runs } = await readSnapshot(t, conversation.conversation_id)
        missing.push(...known.filter((id) => runs.every(({ run_id }) => run_id !== id)))
        await sleep(1)
      }
      await sending
      assert.deepEqual(
        missing,
        [],
        `these runs were admitted before a snapshot was requested, but it does not have them: ${missing.join(', ')}`,
      )
    },
  },
]
