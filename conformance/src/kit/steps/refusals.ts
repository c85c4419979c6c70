import assert from 'node:assert/strict'
import type { Refusal, Unless } from '../config/driver.ts'

/** Fails unless the operator's side refused. */
export function expectRefused(outcome: Unless<object>, what: string): void {
  assert.ok(outcome.refused !== undefined, `the operator's side took ${what}`)
}

/** What the operator's side gave. Fails where it refused. */
export function granted<Result extends object>(outcome: Result | Refusal, what: string): Exclude<Result, Refusal> {
  if ('refused' in outcome && outcome.refused !== undefined)
    assert.fail(`the operator's side refused ${what}: ${String(outcome.refused).slice(0, 300)}`)
  return outcome as Exclude<Result, Refusal>
}
