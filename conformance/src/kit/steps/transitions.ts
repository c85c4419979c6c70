import assert from 'node:assert/strict'

/** The states that may follow each state. A final state has none. */
export type NextStates = Readonly<Record<string, readonly string[]>>

/** Fails if a transition is not allowed. @param what Names the record: `a run`. */
export function expectTransitions(what: string, allowed: NextStates, states: readonly string[]): void {
  for (const [at, state] of states.entries()) {
    const next = states[at + 1]
    if (next !== undefined)
      assert.ok(allowed[state]?.includes(next), `${what} went from ${state} to ${next}: ${states.join(' → ')}`)
  }
}
