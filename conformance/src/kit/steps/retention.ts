import assert from 'node:assert/strict'
import type { Admission, Conversation } from '#openapi/generated/gateway'
import type { ScriptStep } from '../config/driver.ts'
import type { ServerContext } from '../server/context.ts'
import { sendUntilAdmitted } from './devices.ts'

const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Sends a script until it is admitted, which may take a moment after the clock was moved, and waits for the end of the
 * run.
 */
export async function sendAndEnd(
  t: ServerContext,
  conversation: Conversation,
  ...steps: readonly ScriptStep[]
): Promise<Admission> {
  const admission = await sendUntilAdmitted(t, conversation, ...steps)
  await t.runEnded(admission.run_id)
  return admission
}

const MOVES = 30
const MOVE_MINUTES = 10
const READS_PER_MOVE = 3

/**
 * Waits until expired data has been removed. Gateways remove expired data periodically, so this moves the clock in
 * steps of some minutes, by 5 hours in total.
 */
export async function untilGone(t: ServerContext, what: string, isGone: () => Promise<boolean>): Promise<void> {
  for (let move = 0; move <= MOVES; move += 1) {
    for (let read = 0; read < READS_PER_MOVE; read += 1) {
      if (await isGone()) return
      await t.quiet()
    }
    await t.driver.moveClock(MOVE_MINUTES * MINUTE_MS)
  }
  assert.fail(`${what}: not true after ${(MOVES * MOVE_MINUTES) / 60} hours of the gateway's clock`)
}
