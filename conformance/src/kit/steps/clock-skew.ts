import assert from 'node:assert/strict'

/** Allowed clock difference between the machines of one gateway. */
export const CLOCK_SKEW_MS = 1000

/** Fails where a moment lies before an earlier one by more than two clocks may differ. */
export function expectInOrder(what: string, moments: readonly string[]): void {
  for (const [at, moment] of moments.entries()) {
    const before = moments[at - 1] ?? moment
    assert.ok(Date.parse(moment) >= Date.parse(before) - CLOCK_SKEW_MS, `${what}: ${moment} comes behind ${before}`)
  }
}
