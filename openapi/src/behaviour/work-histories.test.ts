import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, draftOf, LEASE_MS, newRun, newWork } from '../../test/support/work-draft.ts'
import { requireApproval } from './approvals.ts'
import type { Draft, RunWork } from './conversation-work.ts'
import { unfinishedRuns } from './conversation-work.ts'
import { finishRun } from './finish-run.ts'
import { isComplete } from './operation-state.ts'
import { isExecuting, isTerminal } from './run-state.ts'
import { cancelRun, resetConversation, resumeRun } from './stop-work.ts'
import { applyTime } from './time-passes.ts'

type Step = (draft: Draft, counter: number) => void

const executing = (draft: Draft): RunWork | undefined => draft.work.runs.find(({ state }) => isExecuting(state))

/** Renews the lease like the process that executes the run. */
const renewLease = (draft: Draft, run: RunWork): void => {
  Object.assign(run, { leaseExpiresAt: new Date(draft.now.getTime() + LEASE_MS) })
}

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
    renewLease(draft, next)
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
    renewLease(draft, run)
    resumeRun(draft, run)
  },
}

test('for any sequence of events: one run executes at a time, ends are final, operations report the true outcome', () => {
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
