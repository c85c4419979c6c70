import assert from 'node:assert/strict'

/** Allowed clock difference between the machines of one gateway. */
export const CLOCK_SKEW_MS = 1000

/** Fails unless the times are in ascending order, with the allowed clock difference. */
export function expectInOrder(what: string, times: readonly string[]): void {
  for (const [at, time] of times.entries()) {
    const previous = times[at - 1] ?? time
    assert.ok(Date.parse(time) >= Date.parse(previous) - CLOCK_SKEW_MS, `${what}: ${time} follows ${previous}`)
  }
}
