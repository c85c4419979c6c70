import assert from 'node:assert/strict'
import type { Admission, Conversation } from '#openapi/generated/gateway'
import type { ScriptStep } from '../config/driver.ts'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal, expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { listItems } from './conversations.ts'
import { watermarkOf } from './events.ts'
import { readRun } from './runs.ts'
import { readSnapshot } from './snapshots.ts'

/** The requests that submit new work to the service of the conversation. */
const workRequests = (t: ServerContext, { conversation_id: id, endpoint_id: endpointId }: Conversation) => ({
  'a message': (): Promise<Answer> => t.me.send(id, t.script({ succeed: {} })),
  'a direct run': (): Promise<Answer> => t.me.createRun(endpointId, { input: t.script({ succeed: {} }) }),
  'a direct run with a new business key': (): Promise<Answer> =>
    t.me.createRun(endpointId, { input: t.script({ succeed: {} }), conversation_key: t.fresh('order') }),
})

/** Fails unless every kind of new work is refused with this status and code, and has no effect. */
export async function expectWorkRefused(
  t: ServerContext,
  conversation: Conversation,
  status: number,
  code: string,
): Promise<void> {
  const state = async () => {
    const { messages, runs } = await readSnapshot(t, conversation.conversation_id)
    return {
      messages: messages.length,
      runs: runs.length,
      watermark: await watermarkOf(t, conversation.conversation_id),
      conversations: (await listItems(t.me, conversation.endpoint_id)).length,
    }
  }
  const before = await state()
  for (const [what, send] of Object.entries(workRequests(t, conversation))) {
    t.note(`${what} must be refused with ${status}`)
    expectRefusal(await send(), status, code)
  }
  assert.deepEqual(await state(), before, 'refused work had an effect')
}

/** Fails unless every kind of new work is admitted. */
export async function expectWorkAdmitted(t: ServerContext, conversation: Conversation): Promise<void> {
  for (const [what, send] of Object.entries(workRequests(t, conversation))) {
    t.note(`${what} must be admitted`)
    expectStatus(await send(), 200, 201, 202)
  }
}

/** Creates a service on a new device, and a conversation of it. */
export async function ownDevice(t: ServerContext): Promise<{ endpointId: string; conversation: Conversation }> {
  const { endpointId } = await t.driver.createService()
  return { endpointId, conversation: await t.conversation({ endpoint_id: endpointId }) }
}

/** Moves the clock in steps until the run is in one of these states. The length of a lease is not specified. */
export async function moveUntil(
  t: ServerContext,
  runId: string,
  states: readonly string[],
  { stepMs = 10_000, steps = 30 }: { readonly stepMs?: number; readonly steps?: number } = {},
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await t.driver.moveClock(stepMs)
    // The gateway does due work soon after the clock has moved. If the step was too short, the loop moves it again.
    for (let look = 0; look < LOOKS; look += 1) {
      const { state } = await readRun(t, runId)
      if (states.includes(state)) return
      await t.quiet()
    }
  }
  assert.fail(
    `the run ${runId} is not ${states.join(' or ')} after ${(steps * stepMs) / 1000} s of the gateway's clock`,
  )
}

const LOOKS = 4

/**
 * Sends a script to the conversation until it is admitted. After a moved clock, the device is offline until its next
 * heartbeat.
 */
export async function sendUntilAdmitted(
  t: ServerContext,
  { conversation_id: id }: Conversation,
  ...steps: readonly ScriptStep[]
): Promise<Admission> {
  const { body } = await t.until(
    `a message to ${id} is admitted`,
    () => t.me.send(id, t.script(...steps)),
    ({ status }) => status === 202,
  )
  return body
}

/** Longer than the silence after which a device is considered unavailable (D-43). Other gateways may allow more. */
const DEVICE_OFFLINE_MS = 31_000
const MOVES = 20

/**
 * Moves the clock until the device of the conversation, which was taken offline, is considered unavailable: in
 * `reference` once, and in `core` until a message is answered with 503, at most `MOVES` times.
 * @param probe A conversation used for nothing else. It may receive messages while the device is still considered
 * available.
 */
export async function untilUnavailable(t: ServerContext, probe: Conversation): Promise<void> {
  const moves = t.profile === 'core' ? MOVES : 1
  for (let move = 0; move < moves; move += 1) {
    await t.driver.moveClock(DEVICE_OFFLINE_MS)
    if (t.profile === 'reference') return
    if ((await t.me.send(probe.conversation_id, { text: 'is the device unavailable?' })).status === 503) return
  }
}
