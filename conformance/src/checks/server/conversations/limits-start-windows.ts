import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { readRun } from '../../../kit/steps/runs.ts'

const MINUTE_MS = 60_000
const ATTEMPTS = 20

interface Occupied {
  /** The time of the gateway's clock after the conversation was set up, in milliseconds. */
  readonly createdAtMs: number
  send(startBeforeMs: number): Promise<Answer<{ readonly run_id: string }>>
}

/** Creates a conversation in which every further message waits. */
async function occupied(t: ServerContext, route: 'message' | 'direct run'): Promise<Occupied> {
  const key = t.fresh('order')
  const conversation = await t.conversation({ conversation_key: key })
  await t.admit(conversation, t.script({ hang: true }))
  const input = { text: 'waits' }
  return {
    // The creation of a second conversation shows the time after the message that occupies the first one.
    createdAtMs: Date.parse((await t.conversation()).created_at),
    send: (startBeforeMs) => {
      const startBefore = new Date(startBeforeMs).toISOString()
      return route === 'message'
        ? t.me.send(conversation.conversation_id, input, { startBefore })
        : t.me.createRun(t.config.services.main, { conversation_key: key, input, start_before: startBefore })
    },
  }
}

/** Checks both sides of the window's end. The window begins at the admission of the run. */
async function expectWindow(t: ServerContext, route: 'message' | 'direct run', windowMs: number): Promise<void> {
  const { createdAtMs, send } = await occupied(t, route)
  // The admission is later than createdAtMs, so this is within the window however long the request takes.
  expectStatus(await send(createdAtMs + windowMs), 200, 201, 202)
  expectStatus(await send(createdAtMs + windowMs - 1), 200, 201, 202)
  for (const beyondMs of [MINUTE_MS, 60 * MINUTE_MS, 48 * 60 * MINUTE_MS])
    expectRefusal(await send(createdAtMs + windowMs + beyondMs), 400, 'INVALID_REQUEST')
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const startBeforeMs = Date.parse((await t.conversation()).created_at) + windowMs + 1_000
    const answer = await send(startBeforeMs)
    if (answer.status === 400) return
    // D-22 defines the answer to a direct run. If the answer does not name the run, the edge cannot be checked to the
    // second.
    if (typeof Object(answer.body).run_id !== 'string') return
    const { created_at: admittedAt } = await readRun(t, answer.body.run_id)
    const aheadMs = startBeforeMs - Date.parse(admittedAt)
    assert.ok(
      aheadMs <= windowMs,
      `a start_before ${aheadMs} ms after admission, beyond the ${windowMs} ms, was accepted`,
    )
    expectStatus(await t.me.cancel(answer.body.run_id), 202)
  }
  t.untestable('each request took longer than a second, so a start_before just beyond the window could not be tested')
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/start-window-of-messages',
    title: 'start_before of a message is accepted up to 5 minutes after admission and refused beyond',
    rules: ['LIMIT-09'],
    tags: ['limit'],
    run: (t) => expectWindow(t, 'message', 5 * MINUTE_MS),
  },
  {
    id: 'limits/start-before-now',
    title: 'start_before of a message is refused if it is now or earlier, and accepted if it is later',
    rules: ['LIMIT-09'],
    tags: ['limit'],
    run: async (t) => {
      const { createdAtMs, send } = await occupied(t, 'message')
      for (const earlierMs of [0, 1, 1_000, MINUTE_MS, 60 * MINUTE_MS])
        expectRefusal(await send(createdAtMs - earlierMs), 400, 'INVALID_REQUEST')
      expectStatus(await send(createdAtMs + MINUTE_MS), 202)
    },
  },
  {
    id: 'limits/start-window-of-direct-runs',
    title: 'start_before of a direct run is accepted up to 24 hours after admission and refused beyond',
    rules: ['LIMIT-10'],
    tags: ['limit'],
    run: (t) => expectWindow(t, 'direct run', 24 * 60 * MINUTE_MS),
  },
]
