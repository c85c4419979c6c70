import { describe, expect, it } from 'vitest'
import type { Check } from '../kit/check.ts'
import { type System, SystemAbsentError } from '../kit/system.ts'
import { type RunChecksOptions, runChecks } from './run-checks.ts'

const failing = async (): Promise<void> => {
  throw new Error('the check failed')
}

/** Runs `count` checks in sequence. Returns the kinds of their outcomes and the reason of the last one. */
const run = async (count: number, options: RunChecksOptions, { probe = async () => {}, body = failing } = {}) => {
  const checks: Check<null>[] = Array.from({ length: count }, (_, at) => ({
    id: `a/${at}`,
    title: 'does',
    rules: ['GEN-01'],
    run: body,
  }))
  const session = {
    context: null,
    redact: String,
    transcript: () => [],
    waits: () => [],
    abort: () => {},
    close: async () => [],
  }
  const system: System<null> = {
    target: 'server',
    name: 'it',
    configuration: null,
    capabilities: new Set(),
    concurrency: 1,
    waitMs: 1000,
    probe,
    open: async () => session,
    stop: async () => {},
  }
  const runs = await runChecks(checks, system, options)
  const last = runs.at(-1)?.outcome
  return {
    kinds: runs.map(({ outcome }) => outcome.kind),
    reason: last !== undefined && 'reason' in last ? last.reason : null,
  }
}

describe('a run of checks', () => {
  it('returns a run for every check', async () => {
    expect((await run(20, {})).kinds).toEqual(Array.from({ length: 20 }, () => 'failed'))
  })

  it('starts no further check after the given number of counted failures', async () => {
    expect(await run(4, { bail: 2 })).toEqual({
      kinds: ['failed', 'failed', 'not-run', 'not-run'],
      reason: 'the run ended after 2 failures (--bail 2)',
    })
    expect((await run(4, { bail: 2, isFailure: () => false })).kinds).not.toContain('not-run')
  })

  it('starts no further check after an interrupt', async () => {
    const over = new AbortController()
    const body = async () => over.abort()
    const { kinds, reason } = await run(3, { signal: over.signal }, { body })
    expect(kinds.slice(1)).toEqual(['not-run', 'not-run'])
    expect(reason).toBe('the run was interrupted')
  })

  it('tests after many consecutive failures whether the system answers, and skips the remaining checks if it does not', async () => {
    const probe = async () => {
      throw new SystemAbsentError('the system does not answer')
    }
    const { kinds, reason } = await run(20, {}, { probe })
    expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(8)
    expect(reason).toBe('the system does not answer')
  })
})
