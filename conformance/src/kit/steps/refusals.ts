import assert from 'node:assert/strict'
import type { OrRefusal, Refusal } from '../config/driver.ts'

/** Fails unless the gateway refused the operator's request. */
export function expectRefused(outcome: OrRefusal<object>, what: string): void {
  assert.ok(outcome.refused !== undefined, `the gateway accepted ${what}`)
}

/** Returns the result of an operator's request. Fails if the gateway refused it. */
export function granted<Result extends object>(outcome: Result | Refusal, what: string): Exclude<Result, Refusal> {
  if ('refused' in outcome && outcome.refused !== undefined)
    assert.fail(`the gateway refused ${what}: ${String(outcome.refused).slice(0, 300)}`)
  return outcome as Exclude<Result, Refusal>
}
