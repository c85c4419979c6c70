import { describe, expect, test } from 'vitest'
import { at, draftOf, newRun, newWork, WINDOWS } from '../../test/support/work-draft.ts'
import { continueDecided, requireApproval } from './approvals.ts'
import type { Draft } from './conversation-work.ts'
import { finishReported } from './finish-run.ts'
import { cancelRun, resetConversation, resumeRun } from './stop-work.ts'
import { applyTime, interruptExecuting } from './time-passes.ts'

const LIMIT_MS = 10_000
const FAR = { leaseExpiresAt: at(1_000_000_000) }
const reply = { messageId: 'msg_reply', cursor: 9, createdAt: at(1), text: 'half an ans', activities: [] }
const TIMED_OUT = { state: 'failed', result: { error: { code: 'RUN_TIMEOUT', retryable: false } } }

const limited = (more: Parameters<typeof newRun>[2] = {}) => {
  const run = newRun(1, 'running', { ...FAR, time: { kind: 'active', until: at(LIMIT_MS) }, ...more })
  return { run, work: newWork([run, newRun(2)]) }
}
const types = (draft: Draft): string[] => draft.events.map(({ type }) => type)

describe('a run that exceeds its execution time', () => {
  test('is stopped as by a cancel, at its limit but not before [RUN-44]', () => {
    const { run, work } = limited()
    applyTime(draftOf(work, LIMIT_MS - 1))
    expect(run.state).toBe('running')
    const draft = draftOf(work, LIMIT_MS)
    applyTime(draft)
    expect([run.state, types(draft), draft.changedRuns]).toEqual(['cancelling', ['run.updated'], new Set([run])])
  })

  test.each([
    { state: 'cancelled' },
    { state: 'succeeded', text: 'done' },
    { state: 'interrupted' },
    { state: 'failed', error: { code: 'BROKEN', message: 'It broke.', retryable: true } },
  ] as const)('ends as failed with RUN_TIMEOUT when its worker reports %j [RUN-44]', (outcome) => {
    const { run, work } = limited({ reply })
    const draft = draftOf(work, LIMIT_MS)
    applyTime(draft)
    finishReported(draft, run, outcome)
    expect(run).toMatchObject(TIMED_OUT)
    expect(run.result?.text).toBe('half an ans')
    expect(types(draft)).toEqual(['run.updated', 'run.failed'])
  })

  test('ends with RUN_TIMEOUT if the stop is not confirmed in its window [RUN-45]', () => {
    const { run, work } = limited()
    applyTime(draftOf(work, LIMIT_MS))
    applyTime(draftOf(work, LIMIT_MS + WINDOWS.stopMs - 1))
    expect(run.state).toBe('cancelling')
    const draft = draftOf(work, LIMIT_MS + WINDOWS.stopMs)
    applyTime(draft)
    expect(run).toMatchObject(TIMED_OUT)
    expect(types(draft)).toEqual(['run.failed'])
  })

  test('ends with RUN_TIMEOUT even if its worker is dead and the run is reconciling [RUN-45]', () => {
    const { run, work } = limited({ leaseExpiresAt: at(5000) })
    applyTime(draftOf(work, 5000))
    applyTime(draftOf(work, LIMIT_MS))
    expect([run.state, run.time?.kind]).toEqual(['reconciling', 'expired'])
    applyTime(draftOf(work, 5000 + WINDOWS.reconcileMs))
    expect(run).toMatchObject(TIMED_OUT)
  })

  test('is stopped when its worker is back after the limit [RUN-44]', () => {
    const { run, work } = limited({ leaseExpiresAt: at(5000) })
    applyTime(draftOf(work, 5000))
    applyTime(draftOf(work, LIMIT_MS))
    resumeRun(draftOf(work, LIMIT_MS + 1), run)
    expect(run.state).toBe('cancelling')
    finishReported(draftOf(work, LIMIT_MS + 2), run, { state: 'cancelled' })
    expect(run).toMatchObject(TIMED_OUT)
  })

  test('ends with RUN_TIMEOUT even if cancelled before or after the limit, and the cancel succeeds [RUN-44]', () => {
    for (const asked of [LIMIT_MS - 1, LIMIT_MS + 1]) {
      const { run, work } = limited()
      applyTime(draftOf(work, asked))
      const operation = cancelRun(draftOf(work, asked), 'run_1', 'op')
      const draft = draftOf(work, LIMIT_MS + 2)
      applyTime(draft)
      finishReported(draft, run, { state: 'cancelled' })
      expect([run.state, operation.state]).toEqual(['failed', 'succeeded'])
    }
  })

  test('completes a reset that waits for it [RUN-45]', () => {
    const { work } = limited()
    applyTime(draftOf(work, LIMIT_MS))
    const operation = resetConversation(draftOf(work, LIMIT_MS + 1), 'cancel_and_reset', 'op')
    applyTime(draftOf(work, LIMIT_MS + WINDOWS.stopMs))
    expect([operation, work.generation]).toMatchObject([{ state: 'succeeded' }, 2])
  })

  test('ends with RUN_TIMEOUT when the only process of its database starts [RUN-45]', () => {
    const { run, work } = limited()
    applyTime(draftOf(work, LIMIT_MS))
    interruptExecuting(draftOf(work, LIMIT_MS + 1))
    expect(run).toMatchObject(TIMED_OUT)
  })
})

describe('waiting for an approval', () => {
  test('does not count towards the limit [RUN-46]', () => {
    const { run, work } = limited()
    requireApproval(draftOf(work, 4000), run, 'May I?')
    applyTime(draftOf(work, 500_000))
    expect(run.state).toBe('waiting_approval')
    continueDecided(draftOf(work, 500_000), run)
    applyTime(draftOf(work, 500_000 + 5999))
    expect(run.state).toBe('running')
    applyTime(draftOf(work, 500_000 + 6000))
    expect(run.state).toBe('cancelling')
  })

  test('does not count while the worker is lost, and continues when the worker is back [RUN-46]', () => {
    const { run, work } = limited({ leaseExpiresAt: at(6000), awaitsApproval: true })
    requireApproval(draftOf(work, 4000), run, 'May I?')
    applyTime(draftOf(work, 6000))
    applyTime(draftOf(work, 30_000))
    expect(run.state).toBe('reconciling')
    resumeRun(draftOf(work, 30_000), run)
    expect([run.state, run.time]).toEqual(['waiting_approval', { kind: 'paused', leftMs: 6000 }])
  })
})

test('a queued run has no execution deadline', () => {
  const work = newWork([newRun(1)])
  const draft = draftOf(work, 299_999)
  applyTime(draft)
  expect([work.runs[0]?.time, draft.changedRuns.size]).toEqual([null, 0])
})
