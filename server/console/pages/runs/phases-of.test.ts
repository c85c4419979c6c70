import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { expect, it } from 'vitest'
import { phasesOf } from './phases-of.ts'

const START = Date.UTC(2026, 2, 2, 9)
const second = (count: number): string => new Date(START + count * 1000).toISOString()

/** A run that was admitted at 0 s, started at 1 s and began to answer at 3 s. */
const timelineOf = (
  state: RunTimeline['run']['state'],
  { finished = null, asked, decided = null }: { finished?: number | null; asked?: number; decided?: number | null },
): RunTimeline =>
  ({
    run: {
      state,
      created_at: second(0),
      updated_at: second(asked ?? 3),
      finished_at: finished === null ? null : second(finished),
    },
    started_at: second(1),
    first_output_at: second(3),
    approvals:
      asked === undefined ? [] : [{ created_at: second(asked), decided_at: decided === null ? null : second(decided) }],
  }) as unknown as RunTimeline

const phasesAt = (timeline: RunTimeline, now: number) =>
  phasesOf(timeline, START + now * 1000).map(({ name, ms, isOpen }) => `${name} ${ms / 1000}${isOpen ? ' so far' : ''}`)

it('the answer of a running run is still in progress', () => {
  expect(phasesAt(timelineOf('running', {}), 10)).toEqual(['waited 1', 'first-output 2', 'answered 7 so far'])
})

it('the time of the answer does not grow while a run waits for a decision', () => {
  const waiting = timelineOf('waiting_approval', { asked: 5 })
  expect(phasesAt(waiting, 60)).toEqual(['waited 1', 'first-output 2', 'answered 2', 'decision 55 so far'])
})

it('the time of the answer excludes the wait for a decision', () => {
  const done = timelineOf('succeeded', { asked: 5, decided: 65, finished: 70 })
  expect(phasesAt(done, 100)).toEqual(['waited 1', 'first-output 2', 'answered 7', 'decision 60'])
})
