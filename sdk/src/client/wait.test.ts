import { expect, it } from 'vitest'
import { createManualTiming, settle } from '../../test/support/manual-timing.ts'
import { TimeoutError } from '../errors.ts'
import type { Decision } from '../transport/decision-report.ts'
import { type WaitForOptions, waitFor } from './wait.ts'

/** A wake-up stream that the test controls. */
const createWake = () => {
  const waiting: { resolve: (result: IteratorResult<unknown>) => void; reject: (error: unknown) => void }[] = []
  const wake = {
    isOpen: false,
    ring: () => waiting.shift()?.resolve({ done: false, value: 'news' }),
    end: () => waiting.shift()?.resolve({ done: true, value: undefined }),
    fail: (error: unknown) => waiting.shift()?.reject(error),
    open: (_value: boolean, signal: AbortSignal): AsyncIterable<unknown> => ({
      [Symbol.asyncIterator]: () => {
        wake.isOpen = true
        signal.addEventListener('abort', () => {
          wake.isOpen = false
          wake.fail(signal.reason)
        })
        return { next: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })) }
      },
    }),
  }
  return wake
}

const start = (options: Partial<WaitForOptions<boolean>> = {}) => {
  const timing = createManualTiming(1)
  const startedMs = timing.now()
  const polledAtMs: number[] = []
  const decisions: Decision[] = []
  const state = { isDone: false }
  const done = waitFor({
    operationId: 'getRun',
    poll: async () => {
      polledAtMs.push(timing.now() - startedMs)
      return state.isDone
    },
    isDone: (value) => value,
    wake: null,
    timing,
    report: (decision) => decisions.push(decision),
    deadlineMs: 600_000,
    signal: undefined,
    ...options,
  })
  done.catch(() => {})
  return { timing, polledAtMs, decisions, state, done }
}

/** A wait whose second poll the test answers with `answer`, and whose third poll is enough. */
const startAsking = () => {
  const wake = createWake()
  const asked = { polls: 0, answer: (_: boolean): void => {} }
  const { timing, done } = start({
    wake: wake.open,
    poll: async () => {
      asked.polls += 1
      return asked.polls === 2 ? new Promise<boolean>((resolve) => (asked.answer = resolve)) : asked.polls > 2
    },
  })
  return { wake, asked, timing, done }
}

it('returns at once if the first poll is enough, without opening a stream', async () => {
  const wake = createWake()
  const { done, timing } = start({ isDone: () => true, wake: wake.open })
  await done
  expect([wake.isOpen, timing.pending]).toEqual([false, 0])
})

it('polls less and less often without a stream', async () => {
  const { timing, polledAtMs, state, done } = start()
  for (let polls = 1; polls < 8; polls++) {
    await settle()
    timing.advanceToNext()
  }
  state.isDone = true
  await timing.drive(done)
  expect(polledAtMs).toEqual([0, 250, 750, 1750, 3750, 7750, 12_750, 17_750])
})

it('polls as soon as the stream ends, and leaves no timer', async () => {
  const wake = createWake()
  const { polledAtMs, state, done, timing } = start({ wake: wake.open })
  await settle()
  state.isDone = true
  wake.end()
  await done
  expect([polledAtMs, timing.pending]).toEqual([[0, 0], 0])
})

it('polls rarely while the stream is silent', async () => {
  const wake = createWake()
  const { timing, polledAtMs } = start({ wake: wake.open })
  for (let rests = 0; rests < 4; rests++) {
    await settle()
    timing.advanceToNext()
  }
  await settle()
  expect(polledAtMs).toEqual([0, 30_250, 60_750])
})

it('polls once for many items, and once more for those that arrive meanwhile', async () => {
  const { wake, asked, timing, done } = startAsking()
  await settle()
  for (let items = 0; items < 3; items++) {
    wake.ring()
    await settle()
  }
  expect(asked.polls).toBe(1)
  timing.advance(250)
  await settle()
  expect(asked.polls).toBe(2)
  wake.ring()
  await settle()
  wake.ring()
  asked.answer(false)
  await settle()
  timing.advance(500)
  await done
  expect(asked.polls).toBe(3)
})

it('polls once more if the stream ends during a poll', async () => {
  const { wake, asked, timing, done } = startAsking()
  await settle()
  wake.ring()
  timing.advance(250)
  await settle()
  wake.end()
  await settle()
  asked.answer(false)
  await done
  expect(asked.polls).toBe(3)
})

it('continues by polling when the stream fails, and reports it', async () => {
  const wake = createWake()
  const error = new Error('forbidden')
  const { timing, polledAtMs, decisions, state, done } = start({ wake: wake.open })
  await settle()
  wake.fail(error)
  await settle()
  timing.advance(500)
  await settle()
  expect(decisions).toEqual([{ kind: 'poll', operationId: 'getRun', error }])
  expect(polledAtMs).toEqual([0, 0, 500])
  state.isDone = true
  await timing.drive(done)
})

it('gives up at its deadline, and says that waiting again is safe', async () => {
  const wake = createWake()
  const { timing, done } = start({ wake: wake.open, deadlineMs: 40_000 })
  const failure = await timing.drive(done).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TimeoutError)
  expect(failure).toMatchObject({ message: expect.stringMatching(/40000 ms.*again later is safe/) })
  expect([wake.isOpen, timing.pending]).toEqual([false, 0])
})

it('aborts a poll at its deadline', async () => {
  const { timing, done } = start({
    deadlineMs: 1_000,
    poll: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut off')))),
  })
  await expect(timing.drive(done)).rejects.toBeInstanceOf(TimeoutError)
})

it('rejects with the reason of the signal, before and after the wait has begun', async () => {
  const reason = new Error('enough')
  const early = start({ signal: AbortSignal.abort(reason) })
  await expect(early.done).rejects.toBe(reason)
  expect(early.polledAtMs).toEqual([])
  const caller = new AbortController()
  const wake = createWake()
  const late = start({ signal: caller.signal, wake: wake.open })
  await settle()
  caller.abort(reason)
  await expect(late.done).rejects.toBe(reason)
  expect([wake.isOpen, late.timing.pending, late.decisions]).toEqual([false, 0, []])
})

it('rejects with the error of the poll', async () => {
  const error = new Error('404')
  await expect(start({ poll: () => Promise.reject(error) }).done).rejects.toBe(error)
})
