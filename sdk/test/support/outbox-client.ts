/** Helpers for tests of outboxes, and of clients with an outbox. */
import { expect, vi } from 'vitest'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Recovery } from '../../src/client/recover.ts'
import type { Leftover, Outbox } from '../../src/outbox/outbox.ts'
import type { ReplayHandle } from '../../src/replay-handle.ts'
import { createManualTiming, type ManualTiming } from './manual-timing.ts'
import { connect as connectClient } from './scripted-client.ts'
import { json, type Reply } from './scripted-fetch.ts'

export const BODY = { expected_generation: 1, input: { text: 'Größe 🚀' } }
export const ADMITTED = json(202, { run_id: 'run_1' })
/** Tells the client to wait beyond its deadline, so that it does not repeat the attempt. */
export const LATER = { 'retry-after': '999' }
const AN_HOUR_MS = 3_600_000

export const keyOf = (item: Leftover | Recovery): string => ('handle' in item ? item.handle.idempotencyKey : item.kind)
export const isEmpty = (outbox: Outbox): Promise<void> =>
  vi.waitFor(async () => expect(await outbox.list()).toEqual([]), { timeout: 30_000 })

export const connect = (outbox: Outbox, replies: readonly Reply[], options: ClientOptions = {}) =>
  connectClient(replies, { outbox, ...options })

/** Records entries, and leaves them as a process that has died does. */
export const leave = async (open: () => Outbox, ...handles: readonly ReplayHandle[]): Promise<void> => {
  const timing = createManualTiming()
  timing.advance(-AN_HOUR_MS)
  for (const handle of handles) await open().record(handle, timing)
}

/**
 * Advances the time in steps until the promise is settled, and lets stores do their work in between.
 * @param stepMs The length of a step. A step takes at least 2 ms of real time, so it must be short for slow stores.
 */
export const advancing = async <T>(timing: ManualTiming, promise: Promise<T>, stepMs = 100): Promise<T> => {
  let isSettled = false
  const done = (): void => {
    isSettled = true
  }
  promise.then(done, done)
  while (!isSettled) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    timing.advance(stepMs)
  }
  return promise
}
