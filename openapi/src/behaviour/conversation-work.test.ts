import { describe, expect, test } from 'vitest'
import { at, draftOf, newRun, newWork } from '../../test/support/work-draft.ts'
import { continueDecided, requireApproval } from './approvals.ts'
import type { Draft } from './conversation-work.ts'
import { finishReported, finishRun } from './finish-run.ts'
import { cancelRun, resumeRun } from './stop-work.ts'
import { applyTime } from './time-passes.ts'

const types = (draft: Draft): string[] => draft.events.map(({ type }) => type)
const reply = { messageId: 'msg_reply', cursor: 9, createdAt: at(1), text: 'half an ans', activities: [] }

describe('ending a run', () => {
  test('a success completes the streamed message and ends with run.completed [RUN-20]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded' })
    expect(types(draft)).toEqual(['assistant.message', 'run.completed'])
    expect(run.result).toEqual({ text: 'half an ans' })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: false, data: null, activities: [] }])
  })

  test('an explicit text becomes the result and leaves the streamed message unchanged [SCRIPT-07]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded', text: 'summary' })
    expect(run.result).toEqual({ text: 'summary' })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: false, data: null, activities: [] }])
  })

  test('a result without any message becomes a complete message', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded', text: 'answer' })
    expect(draft.messages).toMatchObject([{ runId: 'run_1', cursor: 2, text: 'answer' }])
    expect(types(draft)).toEqual(['assistant.message', 'run.completed'])
  })

  test('a failure keeps the partial output in the result and in a message that stays partial [RUN-10, RUN-21]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
    finishRun(draft, run, { state: 'failed', error })
    expect(types(draft)).toEqual(['run.failed'])
    expect(draft.events[0]?.payload).toEqual({ state: 'failed', error, result: { text: 'half an ans', error } })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: true, data: null, activities: [] }])
  })

  test('a run that is not being stopped is interrupted if its worker reports it as cancelled', () => {
    const run = newRun(1, 'running')
    finishReported(draftOf(newWork([run])), run, { state: 'cancelled' })
    expect(run.state).toBe('interrupted')
  })

  test('a terminal run cannot end again [RUN-41]', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded' })
    expect(() => finishRun(draft, run, { state: 'cancelled' })).toThrow('cannot move from succeeded')
  })
})

describe('time', () => {
  test('a queued run expires at its start deadline, not before [RUN-31]', () => {
    const run = newRun(1)
    const work = newWork([run])
    applyTime(draftOf(work, 299_999))
    expect(run.state).toBe('queued')
    applyTime(draftOf(work, 300_000))
    expect(run.state).toBe('expired')
  })

  test('a lapsed lease makes a run reconciling; then it resumes when its device is back, or is interrupted [DEV-12, DEV-14]', () => {
    const run = newRun(1, 'running')
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    expect(run.state).toBe('reconciling')
    resumeRun(draftOf(work, 20_000), run)
    expect(run.state).toBe('running')
    Object.assign(run, { leaseExpiresAt: at(30_000) })
    applyTime(draftOf(work, 30_000))
    applyTime(draftOf(work, 90_000))
    expect(run.state).toBe('interrupted')
  })

  test('a run whose stop was requested while it was lost continues to stop when its device is back', () => {
    const run = newRun(1, 'running')
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    const draft = draftOf(work, 16_000)
    const operation = cancelRun(draft, 'run_1', 'op')
    expect([run.state, operation.state]).toEqual(['reconciling', 'waiting_device'])
    resumeRun(draft, run)
    expect([run.state, operation.state]).toEqual(['cancelling', 'stopping'])
  })
})

describe('approvals', () => {
  test('a lost run that still awaits a decision is waiting_approval again when its device is back', () => {
    const run = newRun(1, 'waiting_approval', { awaitsApproval: true })
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    resumeRun(draftOf(work, 16_000), run)
    expect(run.state).toBe('waiting_approval')
  })

  test('a running run emits approval.required, waits, and continues after the decision', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    const approvalId = requireApproval(draft, run, 'Send the mail?')
    expect(draft.events.at(-1)).toMatchObject({
      type: 'approval.required',
      messageId: 'msg_1',
      payload: { approval_id: approvalId, summary: 'Send the mail?' },
    })
    expect(run.state).toBe('waiting_approval')
    continueDecided(draft, run)
    expect(run.state).toBe('running')
  })

  test('a run that is being stopped requests no approval', () => {
    const run = newRun(1, 'cancelling')
    expect(requireApproval(draftOf(newWork([run])), run, 'Send?')).toBeNull()
  })
})
