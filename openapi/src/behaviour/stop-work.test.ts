import { describe, expect, test } from 'vitest'
import { at, draftOf, newRun, newWork, WINDOWS } from '../../test/support/work-draft.ts'
import type { Draft } from './conversation-work.ts'
import { openDraft } from './conversation-work.ts'
import { finishRun } from './finish-run.ts'
import { cancelRun, resetConversation, resumeRun } from './stop-work.ts'
import { applyTime } from './time-passes.ts'

const types = (draft: Draft): string[] => draft.events.map(({ type }) => type)

describe('cancelling', () => {
  test('a queued run is cancelled at once [CANCEL-07]', () => {
    const run = newRun(1)
    const draft = draftOf(newWork([run]))
    expect(cancelRun(draft, 'run_1', 'op').state).toBe('succeeded')
    expect(run.state).toBe('cancelled')
    expect(types(draft)).toEqual(['run.cancelled'])
  })

  test.each(['running', 'waiting_approval'] as const)('a %s run is asked to stop [CANCEL-08]', (state) => {
    const run = newRun(1, state)
    const draft = draftOf(newWork([run]))
    expect(cancelRun(draft, 'run_1', 'op').state).toBe('stopping')
    expect(run.state).toBe('cancelling')
  })

  test('while the device is offline the operation waits for it [CANCEL-09]', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run], { deviceAway: true }))
    const operation = cancelRun(draft, 'run_1', 'op')
    expect(operation.state).toBe('waiting_device')
    resumeRun(draft, run)
    expect(operation.state).toBe('stopping')
  })

  test('a run that completes first keeps its state and the operation succeeds [CANCEL-11]', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    const operation = cancelRun(draft, 'run_1', 'op')
    finishRun(draft, run, { state: 'succeeded' })
    expect(run.state).toBe('succeeded')
    expect(operation.state).toBe('succeeded')
  })

  test('cancelling a run that has ended succeeds and changes nothing [RUN-29, RUN-30]', () => {
    const draft = draftOf(newWork([]))
    expect(cancelRun(draft, 'run_gone', 'op').state).toBe('succeeded')
    expect(draft.events).toEqual([])
  })

  test('a second cancel shares the stop of the first [CANCEL-14]', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    const operations = [cancelRun(draft, 'run_1', 'op_1'), cancelRun(draft, 'run_1', 'op_2')]
    finishRun(draft, run, { state: 'cancelled' })
    expect(operations.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  })

  test('a second cancel fails together with the first [CANCEL-14]', () => {
    const run = newRun(1, 'running', { leaseExpiresAt: at(100_000) })
    const work = newWork([run])
    const operations = [cancelRun(draftOf(work), 'run_1', 'op_1'), cancelRun(draftOf(work, 59_999), 'run_1', 'op_2')]
    applyTime(draftOf(work, 60_000))
    expect(operations.map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  test('a stop that is not confirmed in its window fails the operation and leaves the run reconciling [CANCEL-12]', () => {
    const run = newRun(1, 'running', { leaseExpiresAt: at(100_000) })
    const work = newWork([run])
    const operation = cancelRun(draftOf(work), 'run_1', 'op')
    applyTime(draftOf(work, 59_999))
    expect([run.state, operation.state]).toEqual(['cancelling', 'stopping'])
    applyTime(draftOf(work, 60_000))
    expect([run.state, operation.state]).toEqual(['reconciling', 'failed'])
    resumeRun(draftOf(work, 60_001), run)
    expect(run.state).toBe('reconciling')
    applyTime(draftOf(work, 120_000))
    expect(run.state).toBe('interrupted')
  })

  test.each(['cancel', 'reset'] as const)(
    'a run whose lease and %s window end together becomes reconciling; its returning device does not resume it [CANCEL-12]',
    (kind) => {
      const run = newRun(1, 'running', { leaseExpiresAt: at(60_000) })
      const work = newWork([run])
      if (kind === 'cancel') cancelRun(draftOf(work), 'run_1', 'op')
      else resetConversation(draftOf(work), 'cancel_and_reset', 'op')
      applyTime(draftOf(work, 60_000))
      expect([run.state, work.operations[0]?.state]).toEqual(['reconciling', 'failed'])
      resumeRun(draftOf(work, 60_001), run)
      expect(run.state).toBe('reconciling')
      applyTime(draftOf(work, 119_999))
      expect(run.state).toBe('reconciling')
      applyTime(draftOf(work, 120_000))
      expect(run.state).toBe('interrupted')
    },
  )

  test('a run whose stop window ends while its device is offline is not resumed when the device returns [CANCEL-12]', () => {
    const run = newRun(1, 'running')
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    const { reconcileUntil } = run
    const operation = cancelRun(openDraft(work, at(20_000), { ...WINDOWS, stopMs: 10_000 }), 'run_1', 'op')
    applyTime(draftOf(work, 30_000))
    expect(operation.state).toBe('failed')
    resumeRun(draftOf(work, 30_001), run)
    expect([run.state, run.reconcileUntil]).toEqual(['reconciling', reconcileUntil])
  })
})

describe('resetting', () => {
  test('an idle conversation advances at once and adopts the published version [RESET-08]', () => {
    const work = newWork([])
    const draft = draftOf(work)
    expect(resetConversation(draft, 'reject', 'op')).toMatchObject({ state: 'succeeded', generation: 2 })
    expect(work).toMatchObject({ generation: 2, bindingVersion: 2, state: 'active' })
    expect(draft.events).toMatchObject([
      { type: 'conversation.reset', runId: null, messageId: null, generation: 2, payload: { previous_generation: 1 } },
    ])
  })

  test('reject refuses while anything is unfinished [RESET-05]', () => {
    expect(resetConversation(draftOf(newWork([newRun(1)])), 'reject', 'op')).toMatchObject({ code: 'BUSY' })
  })

  test('cancel_and_reset cancels the queue at once and advances when the executing run has stopped [RESET-06, RESET-07]', () => {
    const [executing, queued] = [newRun(1, 'running'), newRun(2)]
    const work = newWork([executing, queued])
    const draft = draftOf(work)
    const operation = resetConversation(draft, 'cancel_and_reset', 'op')
    expect(operation).toMatchObject({ state: 'stopping', generation: 1 })
    expect([executing.state, queued.state, work.state]).toEqual(['cancelling', 'cancelled', 'resetting'])
    finishRun(draft, executing, { state: 'cancelled' })
    expect(operation).toMatchObject({ state: 'succeeded', generation: 2 })
    expect(types(draft)).toEqual(['run.updated', 'run.cancelled', 'run.cancelled', 'conversation.reset'])
  })

  test('a failed stop keeps the generation and makes the conversation active again [RESET-19]', () => {
    const run = newRun(1, 'running', { leaseExpiresAt: at(100_000) })
    const work = newWork([run])
    const operation = resetConversation(draftOf(work), 'cancel_and_reset', 'op')
    applyTime(draftOf(work, 60_000))
    expect(operation).toMatchObject({ state: 'failed', generation: 1 })
    expect(work).toMatchObject({ state: 'active', generation: 1 })
  })

  test('a second reset is BUSY [RESET-18]', () => {
    const work = newWork([newRun(1, 'running')])
    resetConversation(draftOf(work), 'cancel_and_reset', 'op')
    expect(resetConversation(draftOf(work), 'cancel_and_reset', 'op_2')).toMatchObject({ code: 'BUSY' })
  })
})
