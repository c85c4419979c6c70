import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, draftOf, newRun, newWork, WINDOWS } from '../../test/support/work-draft.ts'
import { continueApproved, requireApproval } from './approvals.ts'
import type { Draft, RunWork } from './conversation-work.ts'
import { unfinishedRuns } from './conversation-work.ts'
import { finishReported, finishRun } from './finish-run.ts'
import { isComplete } from './operation-state.ts'
import { isExecuting, isTerminal } from './run-state.ts'
import { cancelRun, resetConversation, resumeRun } from './stop-work.ts'
import { applyTime } from './time-passes.ts'

const types = (draft: Draft): string[] => draft.events.map(({ type }) => type)
const reply = { messageId: 'msg_reply', cursor: 9, createdAt: at(1), text: 'half an ans' }

describe('ending a run', () => {
  test('success completes the streamed message and ends with run.completed [RUN-20]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded' })
    expect(types(draft)).toEqual(['assistant.message', 'run.completed'])
    expect(run.result).toEqual({ text: 'half an ans' })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: false }])
  })

  test('a text of its own becomes the result and leaves what was streamed as it was [SCRIPT-07]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded', text: 'summary' })
    expect(run.result).toEqual({ text: 'summary' })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: false }])
  })

  test('a result without any message becomes a message that came whole', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded', text: 'answer' })
    expect(draft.messages).toMatchObject([{ runId: 'run_1', cursor: 2, text: 'answer' }])
    expect(types(draft)).toEqual(['assistant.message', 'run.completed'])
  })

  test('failure keeps the partial output in the result and in a message that stays partial [RUN-10, RUN-21]', () => {
    const run = newRun(1, 'running', { reply })
    const draft = draftOf(newWork([run]))
    const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
    finishRun(draft, run, { state: 'failed', error })
    expect(types(draft)).toEqual(['run.failed'])
    expect(draft.events[0]?.payload).toEqual({ state: 'failed', error, result: { text: 'half an ans', error } })
    expect(draft.replies).toEqual([{ cursor: 9, text: 'half an ans', partial: true }])
  })

  test('a terminal run cannot end again [RUN-41]', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    finishRun(draft, run, { state: 'succeeded' })
    expect(() => finishRun(draft, run, { state: 'cancelled' })).toThrow('cannot move from succeeded')
  })
})

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

  test('while the device is away the operation waits for it [CANCEL-09]', () => {
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

  test('cancelling what has ended succeeds and changes nothing [RUN-29, RUN-30]', () => {
    const draft = draftOf(newWork([]))
    expect(cancelRun(draft, 'run_gone', 'op').state).toBe('succeeded')
    expect(draft.events).toEqual([])
  })

  test('a second cancel follows the same stop [CANCEL-14]', () => {
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

describe('time', () => {
  test('a queued run expires at its start deadline, not before [RUN-31]', () => {
    const run = newRun(1)
    const work = newWork([run])
    applyTime(draftOf(work, 299_999))
    expect(run.state).toBe('queued')
    applyTime(draftOf(work, 300_000))
    expect(run.state).toBe('expired')
  })

  test('a lapsed lease makes the run reconciling, the device may come back, else it is interrupted [DEV-12, DEV-14]', () => {
    const run = newRun(1, 'running')
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    expect(run.state).toBe('reconciling')
    resumeRun(draftOf(work, 20_000), run)
    expect(run.state).toBe('running')
    run.leaseExpiresAt = at(30_000)
    applyTime(draftOf(work, 30_000))
    applyTime(draftOf(work, 90_000))
    expect(run.state).toBe('interrupted')
  })

  test('a run whose stop was asked for while it was lost goes on stopping when its device is back', () => {
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
  test('a lost run that still awaits a decision waits for it again when its device is back', () => {
    const run = newRun(1, 'waiting_approval', { awaitsApproval: true })
    const work = newWork([run])
    applyTime(draftOf(work, 15_000))
    resumeRun(draftOf(work, 16_000), run)
    expect(run.state).toBe('waiting_approval')
  })

  test('a stop that was carried out after it had been given up is no cancellation', () => {
    const run = newRun(1, 'running')
    finishReported(draftOf(newWork([run])), run, { state: 'cancelled' })
    expect(run.state).toBe('interrupted')
  })

  test('a running run waits, is asked about by its event, and goes on when approved', () => {
    const run = newRun(1, 'running')
    const draft = draftOf(newWork([run]))
    const approvalId = requireApproval(draft, run, 'Send the mail?')
    expect(draft.events.at(-1)).toMatchObject({
      type: 'approval.required',
      messageId: 'msg_1',
      payload: { approval_id: approvalId, summary: 'Send the mail?' },
    })
    expect(run.state).toBe('waiting_approval')
    continueApproved(draft, run)
    expect(run.state).toBe('running')
  })

  test('a run that is being stopped asks for nothing', () => {
    const run = newRun(1, 'cancelling')
    expect(requireApproval(draftOf(newWork([run])), run, 'Send?')).toBeNull()
  })
})

type Step = (draft: Draft, counter: number) => void

const executing = (draft: Draft): RunWork | undefined => draft.work.runs.find(({ state }) => isExecuting(state))

const STEPS: Record<string, Step> = {
  send: ({ work }) => {
    if (work.state === 'active')
      work.runs.push(
        newRun(++work.lastCursor, 'queued', { generation: work.generation, startBefore: at(work.lastCursor * 40_000) }),
      )
  },
  start: (draft) => {
    const next = draft.work.runs.find(({ state }) => state === 'queued')
    if (next === undefined || executing(draft) !== undefined) return
    next.state = 'running'
    next.deliveryState = 'device_received'
    next.leaseExpiresAt = new Date(draft.now.getTime() + WINDOWS.leaseMs)
  },
  succeed: (draft) => {
    const run = executing(draft)
    if (run !== undefined && run.state !== 'waiting_approval')
      finishRun(draft, run, { state: 'succeeded', text: 'done' })
  },
  confirmStop: (draft) => {
    const run = executing(draft)
    if (run?.state === 'cancelling') finishRun(draft, run, { state: 'cancelled' })
  },
  cancelFirst: (draft, n) => {
    cancelRun(draft, unfinishedRuns(draft)[0]?.runId ?? 'run_none', `op_${n}`)
  },
  reset: (draft, n) => {
    resetConversation(draft, 'cancel_and_reset', `op_${n}`)
  },
  ask: (draft) => {
    const run = executing(draft)
    if (run !== undefined) requireApproval(draft, run, 'May I?')
  },
  renew: (draft) => {
    const run = executing(draft)
    if (run === undefined) return
    run.leaseExpiresAt = new Date(draft.now.getTime() + WINDOWS.leaseMs)
    resumeRun(draft, run)
  },
}

test('whatever happens in whatever order: one run executes, ends stand, operations tell the truth', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.integer({ min: 0, max: 70_000 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (sequence) => {
      const work = newWork([])
      const ends = new Map<string, string>()
      let ms = 0
      sequence.forEach(([name, elapsed], index) => {
        ms += elapsed
        const draft = draftOf(work, ms)
        applyTime(draft)
        const generationBefore = work.generation
        STEPS[name]?.(draft, index)

        expect(work.runs.filter(({ state }) => isExecuting(state)).length).toBeLessThanOrEqual(1)
        for (const run of work.runs) {
          if (ends.has(run.runId)) expect(run.state).toBe(ends.get(run.runId))
          if (isTerminal(run.state)) ends.set(run.runId, run.state)
        }
        for (const operation of work.operations) {
          const run = work.runs.find(({ runId }) => runId === operation.runId)
          if (operation.kind === 'cancel' && operation.state === 'succeeded' && run)
            expect(isTerminal(run.state)).toBe(true)
          if (!isComplete(operation.state)) expect(operation.stopUntil.getTime()).toBeGreaterThan(at(ms).getTime())
        }
        if (work.generation > generationBefore) {
          expect(work.generation).toBe(generationBefore + 1)
          expect(unfinishedRuns(draft).filter(({ generation }) => generation < work.generation)).toEqual([])
        }
        if (work.state === 'resetting')
          expect(work.operations.some(({ kind, state }) => kind === 'reset' && !isComplete(state))).toBe(true)
        for (const runId of new Set(draft.events.map((event) => event.runId))) {
          const own = draft.events.filter((event) => event.runId === runId).map(({ type }) => type)
          const end = own.findIndex((type) =>
            ['run.completed', 'run.failed', 'run.cancelled', 'run.interrupted', 'run.expired'].includes(type),
          )
          if (end !== -1) expect(end).toBe(own.length - 1)
        }
      })
    }),
    { numRuns: 300 },
  )
})
