import fc from 'fast-check'
import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-timing.ts'
import { frameOf, someEvent } from '../../test/support/played-gateway.ts'
import { refusal } from '../../test/support/subscription.ts'
import { ConnectionError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { OPERATIONS } from '../generated/operations.ts'
import { observer } from '../transport/observed-call.ts'
import type { Timing } from '../transport/timing.ts'
import { iterateOnce } from './iterate-once.ts'
import { readShared, type SharedStreams } from './shared-stream.ts'
import type { StreamSource } from './stream-source.ts'

/** This scheduler picks the order of everything that happens outside the client. */
type Scheduler = fc.Scheduler

/** The number of events that a connection sends before it ends, and how it ends. */
interface Cut {
  readonly events: number
  readonly chunk: number
  readonly ending: 'end' | 'reset' | 'refused' | 'gone' | 'hang'
}

interface Reader {
  readonly after: number | null
  /** It leaves after this many events; null if it reads to the end. */
  readonly most: number | null
  readonly leavesBy: 'break' | 'return' | 'abort'
  /** It does other work after this many events. */
  readonly pausesEvery: number
}

const pause = (scheduler: Scheduler, label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label)

/** Timers at least this long are those of silent connections. */
const LONG_MS = 10_000
/** This many of them may fire before other tasks; the others fire only when no task is left. */
const HASTY = 3

interface OrderedTiming extends Timing {
  readonly pending: number
  /** Fires the next long timer. False if there is none. */
  pass(): boolean
}

/** Timers fire in any order, and the clock advances to each. */
const timingOf = (scheduler: Scheduler): OrderedTiming => {
  let nowMs = 0
  let hasty = 0
  const timers = new Set<() => void>()
  const long = new Set<() => void>()
  return {
    now: () => nowMs,
    elapsed: () => nowMs,
    random: () => 0.5,
    after: (delayMs, callback) => {
      const dueMs = nowMs + delayMs
      const clear = (): boolean => {
        long.delete(fire)
        return timers.delete(fire)
      }
      const fire = (): void => {
        if (!clear()) return
        nowMs = Math.max(nowMs, dueMs)
        callback()
      }
      timers.add(fire)
      if (delayMs >= LONG_MS && ++hasty > HASTY) long.add(fire)
      else void pause(scheduler, `a timer of ${delayMs} ms`).then(fire)
      return clear
    },
    get pending() {
      return timers.size
    },
    pass: () => {
      const [next] = long
      next?.()
      return next !== undefined
    },
  }
}

const GONE = refusal(404)
const ENOUGH = new Error('enough')

/** A gateway whose opening, sending and breaking the scheduler controls. */
const gatewayOf = (scheduler: Scheduler, log: readonly EventEnvelope[], cuts: readonly Cut[]) => {
  const timing = timingOf(scheduler)
  const counts = { opened: 0, open: 0 }
  const source: StreamSource = {
    operationId: 'streamRunEvents',
    info: OPERATIONS.streamRunEvents.stream,
    timing,
    backoff: { baseMs: 250, maxMs: 8_000 },
    waitForStream: true,
    patienceMs: Number.POSITIVE_INFINITY,
    maxFrameLength: 1_000_000,
    report() {},
    observe: observer({}, { timing, report() {} }),
    findEnd: async () => 'running',
    open: async (_call, position, signal) => {
      const cut = cuts[counts.opened++] ?? { events: log.length, chunk: 3, ending: 'hang' }
      await pause(scheduler, 'a connection')
      signal.throwIfAborted()
      if (cut.ending === 'refused') throw new ConnectionError('no')
      if (cut.ending === 'gone') throw GONE
      const rest = log.filter(({ seq }) => seq > (position ?? 0)).slice(0, cut.events)
      let isOpen = true
      const close = (): void => {
        if (isOpen) counts.open -= 1
        isOpen = false
      }
      counts.open += 1
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
        await pause(scheduler, 'a chunk')
        if (!isOpen) return
        const events = rest.splice(0, cut.chunk)
        const text = events.map((event) => frameOf(event)).join('')
        if (text) return controller.enqueue(new TextEncoder().encode(text))
        if (cut.ending === 'hang') return new Promise(() => {})
        close()
        if (cut.ending === 'end') controller.close()
        else controller.error(new TypeError('terminated'))
      }
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
        signal.addEventListener('abort', () => {
          if (isOpen) controller.error(signal.reason)
          close()
        })
      return new Response(new ReadableStream({ start, pull, cancel: close }, { highWaterMark: 0 }))
    },
  }
  return { source, timing, counts }
}

it('gives each reader each event once and in order, and leaves nothing open, in any order of tasks', async () => {
  const reader: fc.Arbitrary<Reader> = fc.record({
    after: fc.option(fc.nat(12)),
    most: fc.option(fc.nat(12), { freq: 2 }),
    leavesBy: fc.constantFrom('break', 'return', 'abort'),
    pausesEvery: fc.integer({ min: 1, max: 4 }),
  })
  const cut: fc.Arbitrary<Cut> = fc.record({
    events: fc.nat(6),
    chunk: fc.integer({ min: 1, max: 4 }),
    ending: fc.constantFrom('end', 'reset', 'refused', 'gone', 'hang'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 12 }),
      fc.array(reader, { minLength: 1, maxLength: 5 }),
      fc.array(cut, { maxLength: 8 }),
      async (scheduler, count, readers, cuts) => {
        const log = [
          ...Array.from({ length: count }, (_, index) => someEvent(index + 1)),
          someEvent(count + 1, 'run.completed'),
        ]
        const { source, timing, counts } = gatewayOf(scheduler, log, cuts)
        const streams: SharedStreams = new Map()

        const read = async ({ after, most, leavesBy, pausesEvery }: Reader): Promise<void> => {
          await pause(scheduler, 'a reader comes')
          const start = after === null ? null : Math.min(after, count)
          const place = { position: start }
          const caller = new AbortController()
          const events = iterateOnce(
            '',
            caller.signal,
            (signal, sink) => readShared({ streams, key: 'run_1' }, source, place, signal, sink, () => {}),
            ({ seq }: EventEnvelope) => {
              place.position = seq
            },
          )[Symbol.asyncIterator]()
          const due = log.filter(({ seq }) => seq > (start ?? 0))
          const taken: EventEnvelope[] = []
          let failure: unknown
          for (;;) {
            if (taken.length === most && leavesBy === 'break') break
            const asked = events.next().catch((error: unknown) => {
              failure = error
              return { done: true, value: undefined } as const
            })
            if (taken.length === most) {
              // The reader leaves while it waits for one more event.
              await pause(scheduler, 'a reader leaves')
              if (leavesBy === 'abort') caller.abort(ENOUGH)
              else await events.return?.()
            }
            const next = await asked
            if (next.done) break
            taken.push(next.value)
            if (most !== null && taken.length > most) break
            if (taken.length % pausesEvery === 0) await pause(scheduler, 'a reader works')
          }
          await events.return?.()
          expect(taken).toEqual(due.slice(0, taken.length))
          expect([undefined, GONE, ...(leavesBy === 'abort' ? [ENOUGH] : [])]).toContain(failure)
          if (failure !== GONE) expect(taken.length).toBeGreaterThanOrEqual(Math.min(due.length, most ?? due.length))
        }
        let left = readers.length
        const reading = Promise.all(
          readers.map((each) =>
            read(each).finally(() => {
              left -= 1
            }),
          ),
        )
        // Checked at the end, when no task is left.
        reading.catch(() => {})
        for (let mayContinue = true; mayContinue; await settle()) {
          if (scheduler.count() > 0) await scheduler.waitNext(1)
          else mayContinue = timing.pass()
        }
        expect(left, 'readers that wait forever').toBe(0)
        await reading
        expect([streams.size, counts.open, timing.pending]).toEqual([0, 0, 0])
      },
    ),
    { numRuns: 400 },
  )
})
