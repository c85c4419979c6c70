import { expect, it } from 'vitest'
import type { CheckRun, Outcome } from '../kit/check-run.ts'
import { testResultOf } from './register-suite.ts'

const runOf = (outcome: Outcome): CheckRun => ({ id: 'a/a', outcome, durationMs: 1, transcript: [] })
const failed = runOf({ kind: 'failed', message: 'expected 409', cause: 'expected 409' })

it('a test fails for a broken MUST, and for a check without a verdict', () => {
  expect(testResultOf(failed, 'failed', undefined)).toEqual({ kind: 'failed', message: 'expected 409' })
  for (const kind of ['undecided', 'not-run'] as const)
    expect(testResultOf(runOf({ kind, reason: 'the driver failed' }), kind, undefined)).toEqual({
      kind: 'failed',
      message: 'no verdict: the driver failed',
    })
})

it('a test is skipped with the reason for a warning, a known failure and an untestable check', () => {
  expect(testResultOf(failed, 'warning', undefined)).toEqual({ kind: 'skipped', reason: 'warning: expected 409' })
  expect(testResultOf(failed, 'known', 'next week')).toEqual({ kind: 'skipped', reason: 'known: next week' })
  const untestable = runOf({ kind: 'untestable', reason: 'no driver' })
  expect(testResultOf(untestable, 'untestable', undefined)).toEqual({
    kind: 'skipped',
    reason: 'not testable here: no driver',
  })
})
