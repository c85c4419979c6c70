import assert from 'node:assert/strict'
import type { Admission, Conversation } from '#openapi/generated/gateway'
import type { ScriptStep } from '../config/driver.ts'
import type { ServerContext } from '../server/context.ts'

const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/** Sends it once the device has been heard of at the time that the clock was moved to, and waits for the end of the run. */
export async function sendAndEnd(
  t: ServerContext,
  { conversation_id: id }: Conversation,
  ...steps: readonly ScriptStep[]
): Promise<Admission> {
  const { body } = await t.until(
    'the device takes work',
    () => t.me.send(id, t.script(...steps)),
    ({ status }) => status === 202,
  )
  await t.runEnded(body.run_id)
  return body
}

const NUDGES = 30
const NUDGE_MINUTES = 10
const LOOKS = 3

/**
 * Waits until what has lapsed is gone. Gateways remove such things in rounds, so the clock goes on by some minutes again
 * and again, by at most 5 hours in all.
 */
export async function untilGone(t: ServerContext, what: string, isGone: () => Promise<boolean>): Promise<void> {
  for (let nudge = 0; nudge <= NUDGES; nudge += 1) {
    for (let look = 0; look < LOOKS; look += 1) {
      if (await isGone()) return
      await t.quiet()
    }
    await t.driver.moveClock(NUDGE_MINUTES * MINUTE_MS)
  }
  assert.fail(`${what}: not so ${(NUDGES * NUDGE_MINUTES) / 60} hours of the gateway's clock later`)
}
