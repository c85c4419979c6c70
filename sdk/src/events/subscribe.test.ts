import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createManualTiming, type ManualTiming, settle } from '../../test/support/manual-timing.ts'
import {
  createPlayedGateway,
  frameOf,
  PING,
  type PlayedConnection,
  type PlayedGateway,
  type PlayedGatewayOptions,
  someEvent,
} from '../../test/support/played-gateway.ts'
import { ApiError, ConnectionError, CursorExpiredError, StreamInterruptedError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { type EventStream, subscribe } from './subscribe.ts'

const frames = (...seqs: number[]): string => seqs.map((seq) => frameOf(someEvent(seq))).join('')

/** A frame that holds no event. */
const BROKEN = 'id: 1\ndata: {\n\n'

const HANGING: PlayedConnection = { chunks: [], ending: 'hang' }

const play = (
  connections: readonly PlayedConnection[],
  options: Partial<PlayedGatewayOptions> = {},
): { gateway: PlayedGateway; timing: ManualTiming } => {
  const timing = options.timing ?? createManualTiming()
  return {
    timing,
    gateway: createPlayedGateway({ play: (index) => connections[index] ?? HANGING, ...options, timing }),
  }
}

const refusal = (status: number, code: string | null = null, retryAfterMs: number | null = null): ApiError =>
  new (status === 410 ? CursorExpiredError : ApiError)({
    code,
    status,
    detail: 'no',
    requestId: 'req_1',
    retryAfterMs,
    problem: null,
    response: new Response(),
  })

/** Takes `count` events, then leaves the loop; without a count all. */
const take = async (stream: EventStream, count = Number.POSITIVE_INFINITY): Promise<EventEnvelope[]> => {
  const events: EventEnvelope[] = []
  for await (const event of stream) {
    events.push(event)
    if (events.length >= count) break
  }
  return events
}

const seqsOf = (events: readonly EventEnvelope[]): number[] => events.map(({ seq }) => seq)

it('yields each event once and in order, however connections are cut and whatever is sent again', async () => {
  const ending = fc.constantFrom('end', 'reset', 'hang', 'garbage', 'refused', 'unreachable')
  const cut = fc.record({ ending, bytes: fc.nat(1200), resent: fc.nat(3), chunk: fc.integer({ min: 1, max: 400 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.option(fc.nat(12)),
      fc.array(cut, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      async (count, afterOrNull, cuts, lineEnd, isRun) => {
        const after = afterOrNull === null ? null : Math.min(afterOrNull, count)
        const last = someEvent(count + 1, isRun ? 'run.completed' : 'run.annotated')
        const log = [...Array.from({ length: count }, (_, index) => someEvent(index + 1)), last]
        const serve = (position: number | null, resent: number): Uint8Array =>
          new TextEncoder().encode(
            `retry: 1000${lineEnd}${lineEnd}` +
              log
                .filter(({ seq }) => seq > (position ?? 0) - resent)
                .map((event) => frameOf(event, lineEnd))
                .join(isRun ? '' : `: ping${lineEnd}${lineEnd}`) +
              PING,
          )
        const connection = (index: number, position: number | null): PlayedConnection => {
          const fault = cuts[index]
          if (fault === undefined) return { chunks: [serve(position, 0)], ending: 'hang' }
          if (fault.ending === 'refused') return { error: refusal(503) }
          if (fault.ending === 'unreachable') return { error: new ConnectionError('no') }
          const bytes = serve(position, fault.resent).subarray(0, fault.bytes)
          const chunks: (string | Uint8Array)[] = []
          for (let start = 0; start < bytes.length; start += fault.chunk)
            chunks.push(bytes.subarray(start, start + fault.chunk))
          return fault.ending === 'garbage'
            ? { chunks: [...chunks, `\n\n\n${BROKEN}`], ending: 'hang' }
            : { chunks, ending: fault.ending }
        }
        // Clean ends without an event are, twice in a row, the end of a run that is over.
        const isOver = async () => !cuts.some((fault) => fault.ending === 'end')
        const { gateway, timing } = play([], { play: connection, ...(isRun ? { over: 'run', isOver } : {}) })
        const stream = subscribe(gateway, after === null ? {} : { after })
        const due = log.filter(({ seq }) => seq > (after ?? 0))
        expect(await timing.drive(take(stream, isRun ? undefined : due.length))).toEqual(due)
        expect(stream.position).toBe(isRun ? count + 1 : due.length === 1 ? after : count)
        expect(gateway.openConnections).toBe(0)
        expect(timing.pending).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})

it('opens nothing before the first event is asked for', async () => {
  const { gateway } = play([])
  subscribe(gateway)[Symbol.asyncIterator]()
  await settle()
  expect(gateway.positions).toEqual([])
})

it('moves its position when the next event is asked for', async () => {
  const { gateway } = play([{ chunks: [frames(6, 7)], ending: 'hang' }])
  const stream = subscribe(gateway, { after: 5 })
  const events = stream[Symbol.asyncIterator]()
  await events.next()
  expect(stream.position).toBe(5)
  await events.next()
  expect(stream.position).toBe(6)
  await events.return?.()
  expect(stream.position).toBe(6)
})

it('refuses a second iteration and says what to do instead', () => {
  const stream = subscribe(play([]).gateway)
  stream[Symbol.asyncIterator]()
  expect(() => stream[Symbol.asyncIterator]()).toThrow(/only once.*`position` as `after`/)
})

it('reads from the network only what is asked for', async () => {
  const { gateway } = play([{ chunks: [frames(1, 2), frames(3), frames(4)], ending: 'hang' }])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  await events.next()
  await settle()
  expect(gateway.chunksRead).toBe(1)
})

it('hands on what had arrived before it opens the next connection', async () => {
  const { gateway, timing } = play([{ chunks: [frames(1, 2)], ending: 'reset' }])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  expect(await events.next()).toMatchObject({ value: { seq: 2 } })
  expect(gateway.positions).toEqual([null])
  void events.next()
  await settle()
  timing.advanceToNext()
  await settle()
  expect(gateway.positions).toEqual([null, 2])
})

it('hands on events of types that it does not know', async () => {
  const { gateway } = play([{ chunks: [frameOf(someEvent(1, 'moon.rose'))], ending: 'hang' }])
  expect(await take(subscribe(gateway), 1)).toEqual([someEvent(1, 'moon.rose')])
})

it('closes the connection when the loop is left', async () => {
  const { gateway, timing } = play([{ chunks: [frames(1)], ending: 'hang' }])
  await take(subscribe(gateway), 1)
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
})

it('ends a pending read when the consumer returns', async () => {
  const { gateway, timing } = play([HANGING])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  const pending = events.next()
  await settle()
  expect(gateway.openConnections).toBe(1)
  await events.return?.()
  expect(await pending).toEqual({ done: true, value: undefined })
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
})

it.each([
  ['before it is begun', 0],
  ['while it reads', 1],
  ['while it waits to connect again', 2],
])('rejects with the reason of the signal, aborted %s', async (_, moment) => {
  const { gateway, timing } = play(moment === 2 ? [{ chunks: [], ending: 'reset' }] : [HANGING])
  const caller = new AbortController()
  const reason = new Error('enough')
  if (moment === 0) caller.abort(reason)
  const taken = take(subscribe(gateway, { signal: caller.signal }))
  await Promise.all([expect(taken).rejects.toBe(reason), settle().then(() => caller.abort(reason))])
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
  expect(gateway.positions).toHaveLength(moment === 0 ? 0 : 1)
})

it('tells nothing of a connection that an abort of the signal closes', async () => {
  const { gateway, timing } = play([{ chunks: [PING], ending: 'hang' }], {
    over: 'run',
    isOver: async () => true,
    ignoresSignal: true,
  })
  const caller = new AbortController()
  const reason = new Error('enough')
  const taken = expect(take(subscribe(gateway, { signal: caller.signal }))).rejects.toBe(reason)
  await settle()
  timing.advanceToNext()
  await settle()
  expect(gateway.positions).toHaveLength(2)
  caller.abort(reason)
  await taken
  expect([gateway.openConnections, timing.pending, gateway.decisions.length]).toEqual([0, 0, 1])
})

it('hands on and does nothing after the signal was aborted, and closes the connection at once', async () => {
  const { gateway } = play([{ chunks: [frames(1, 2) + BROKEN], ending: 'hang' }])
  const caller = new AbortController()
  const events = subscribe(gateway, { signal: caller.signal })[Symbol.asyncIterator]()
  await events.next()
  caller.abort(new Error('enough'))
  expect(gateway.openConnections).toBe(0)
  await expect(events.next()).rejects.toThrow('enough')
  expect(await events.next()).toEqual({ done: true, value: undefined })
  expect(gateway.decisions).toEqual([])
})

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'gives each of several an event of their own, in order, asked %i ticks apart',
  async (ticks) => {
    const { gateway } = play([{ chunks: [frames(1, 2), frames(3), frames(4)], ending: 'hang' }])
    const events = subscribe(gateway)[Symbol.asyncIterator]()
    const asked: Promise<IteratorResult<EventEnvelope>>[] = []
    for (let index = 0; index < 4; index++) {
      asked.push(events.next())
      for (let tick = 0; tick < ticks; tick++) await null
    }
    const results = await Promise.all(asked)
    expect(results.map(({ value }) => value?.seq)).toEqual([1, 2, 3, 4])
  },
)

it('does not count the time that the consumer takes against the patience', async () => {
  const { gateway, timing } = play(
    [
      { chunks: [frames(1) + BROKEN], ending: 'hang' },
      { error: new ConnectionError('down') },
      { chunks: [frames(2)], ending: 'hang' },
    ],
    { patienceMs: 10_000 },
  )
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  timing.advance(600_000)
  expect(await timing.drive(events.next())).toMatchObject({ value: { seq: 2 } })
})

it('takes a connection without a byte for three ping intervals for dead, and a ping for life', async () => {
  const { gateway, timing } = play([{ chunks: [PING], ending: 'hang' }])
  const events = subscribe(gateway, { after: 3 })[Symbol.asyncIterator]()
  void events.next()
  await settle()
  timing.advance(44_999)
  await settle()
  expect(gateway.decisions).toEqual([])
  timing.advance(1)
  await settle()
  expect(gateway.decisions).toMatchObject([
    { kind: 'reconnect', trouble: 'idle', position: 3, attempt: 1, status: null },
  ])
  expect(gateway.openConnections).toBe(0)
})

it('does not watch a connection that it does not read', async () => {
  const { gateway, timing } = play([{ chunks: [frames(1)], ending: 'hang' }])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  timing.advance(1_000_000)
  expect([timing.pending, gateway.openConnections]).toEqual([0, 1])
})

it('waits at least as long as a 429 asks', async () => {
  const { gateway, timing } = play([
    { error: refusal(429, 'STREAM_LIMIT', 20_000) },
    { chunks: [frames(1)], ending: 'hang' },
  ])
  expect(seqsOf(await timing.drive(take(subscribe(gateway), 1)))).toEqual([1])
  expect(gateway.decisions).toEqual([
    {
      kind: 'reconnect',
      operationId: 'streamConversationEvents',
      trouble: 'refused',
      status: 429,
      code: 'STREAM_LIMIT',
      requestId: 'req_1',
      attempt: 1,
      delayMs: 20_000,
      retryAfterMs: 20_000,
      position: null,
    },
  ])
})

it('waits longer and longer for a gateway that ends every stream at once, and starts anew with progress', async () => {
  const ended: PlayedConnection = { chunks: ['retry: 2000\n\n'], ending: 'end' }
  const progress: PlayedConnection = { chunks: ['retry: 2000\n\n', frames(1)], ending: 'end' }
  const { gateway, timing } = play([ended, ended, ended, progress, ended, { chunks: [frames(2)], ending: 'hang' }])
  await timing.drive(take(subscribe(gateway), 2))
  const delays = gateway.decisions.map((decision) => 'delayMs' in decision && decision.delayMs)
  expect(delays).toEqual([1000, 2000, 4000, 1000, 2000])
})

it('never hurries, even when the gateway asks for it', async () => {
  const { gateway, timing } = play([
    { chunks: ['retry: 0\n\n'], ending: 'end' },
    { chunks: [frames(1)], ending: 'end' },
  ])
  await timing.drive(take(subscribe(gateway), 1))
  expect(gateway.decisions).toMatchObject([{ delayMs: 125 }])
})

it('gives up when nothing but failures came for longer than the patience', async () => {
  const error = new ConnectionError('down')
  const { gateway, timing } = play([], { play: () => ({ error }), patienceMs: 10_000 })
  const failure = await timing.drive(take(subscribe(gateway, { after: 7 })).catch((thrown: unknown) => thrown))
  expect(failure).toBeInstanceOf(StreamInterruptedError)
  expect(failure).toMatchObject({ position: 7, cause: error, message: expect.stringContaining('after 7') })
  expect(gateway.decisions.at(-1)).toMatchObject({
    kind: 'give-up',
    trouble: 'connection',
    attempts: 5,
    elapsedMs: 7500,
  })
})

it('has as much patience as ever after a ping, so that a quiet conversation lasts', async () => {
  const quiet: PlayedConnection = { chunks: [PING], ending: 'reset' }
  const { gateway, timing } = play(
    [...Array<PlayedConnection>(50).fill(quiet), { chunks: [frames(1)], ending: 'hang' }],
    {
      patienceMs: 1_000,
    },
  )
  expect(await timing.drive(take(subscribe(gateway), 1))).toHaveLength(1)
  expect(gateway.decisions).toHaveLength(50)
})

it.each([400, 401, 403, 404, 406, 410, 501])('ends with the error of a %i', async (status) => {
  const error = refusal(status)
  const { gateway } = play([{ error }])
  await expect(take(subscribe(gateway))).rejects.toBe(error)
  expect(gateway.decisions).toEqual([])
})

it('ends with an error that is none of a connection, instead of trying again', async () => {
  const error = new TypeError('a mistake')
  await expect(take(subscribe(play([{ error }]).gateway))).rejects.toBe(error)
})

it('closes the connection as soon as the last event of a run has come', async () => {
  const { gateway } = play([{ chunks: [frameOf(someEvent(2, 'run.failed'))], ending: 'hang' }], { over: 'run' })
  await subscribe(gateway)[Symbol.asyncIterator]().next()
  expect(gateway.openConnections).toBe(0)
})

it('cancels the body too, for a fetch that pays no attention to its signal', async () => {
  const { gateway } = play([{ chunks: [frames(1)], ending: 'hang' }], { ignoresSignal: true })
  await take(subscribe(gateway), 1)
  expect(gateway.openConnections).toBe(0)
})

it('ends after the last event of a run, with the connection closed', async () => {
  const { gateway } = play(
    [{ chunks: [frames(1) + frameOf(someEvent(2, 'run.failed')) + frames(3)], ending: 'hang' }],
    {
      over: 'run',
      isOver: async () => true,
    },
  )
  const stream = subscribe(gateway)
  expect(seqsOf(await take(stream))).toEqual([1, 2])
  expect([stream.position, gateway.openConnections, gateway.timesAsked]).toEqual([2, 0, 0])
})

it('ends a run’s stream that stands behind the last event, on the first ping of a connection opened after it knows', async () => {
  const { gateway, timing } = play(
    [
      { chunks: [PING], ending: 'hang' },
      { chunks: [PING], ending: 'hang' },
    ],
    {
      over: 'run',
      isOver: async () => true,
    },
  )
  expect(await timing.drive(take(subscribe(gateway, { after: 9 })))).toEqual([])
  expect([gateway.positions, gateway.timesAsked, gateway.openConnections]).toEqual([[9, 9], 1, 0])
})

it('believes a clean end of a run’s stream only the second time', async () => {
  const empty: PlayedConnection = { chunks: [], ending: 'end' }
  const played = { over: 'run', isOver: async () => true } as const
  const silent = play([empty, empty, empty], played)
  expect(await silent.timing.drive(take(subscribe(silent.gateway)))).toEqual([])
  expect(silent.gateway.positions).toHaveLength(3)
  const late = play([empty, empty, { chunks: [frameOf(someEvent(4, 'run.expired'))], ending: 'end' }], played)
  expect(seqsOf(await late.timing.drive(take(subscribe(late.gateway))))).toEqual([4])
})

it('goes on with what was written between its connection and the end of the run', async () => {
  const { gateway, timing } = play(
    [
      { chunks: [PING, PING], ending: 'hang' },
      { chunks: [frameOf(someEvent(2, 'run.completed'))], ending: 'hang' },
    ],
    { over: 'run', isOver: async () => true },
  )
  expect(seqsOf(await timing.drive(take(subscribe(gateway, { after: 1 }))))).toEqual([2])
})

it('asks once, and then waits for the last event on the same connection', async () => {
  const { gateway, timing } = play(
    [{ chunks: [PING, PING, PING, frameOf(someEvent(2, 'run.cancelled'))], ending: 'hang' }],
    { over: 'run', isOver: async () => false },
  )
  expect(seqsOf(await timing.drive(take(subscribe(gateway))))).toEqual([2])
  expect([gateway.timesAsked, gateway.positions.length]).toEqual([1, 1])
})

it('does not ask once an event has come', async () => {
  const { gateway, timing } = play(
    [
      { chunks: [frames(1), PING], ending: 'end' },
      { chunks: [PING, frameOf(someEvent(2, 'run.cancelled'))], ending: 'hang' },
    ],
    { over: 'run', isOver: async () => true },
  )
  expect(seqsOf(await timing.drive(take(subscribe(gateway))))).toEqual([1, 2])
  expect(gateway.timesAsked).toBe(0)
})

it('takes a failure to ask for trouble of the connection, unless it is final', async () => {
  const answers = [refusal(503), null]
  const { gateway, timing } = play(
    [
      { chunks: [PING], ending: 'hang' },
      { chunks: [PING, frameOf(someEvent(2, 'run.completed'))], ending: 'hang' },
    ],
    {
      over: 'run',
      isOver: async () => {
        const answer = answers.shift()
        if (answer) throw answer
        return false
      },
    },
  )
  expect(seqsOf(await timing.drive(take(subscribe(gateway))))).toEqual([2])
  expect(gateway.decisions).toMatchObject([{ kind: 'reconnect', trouble: 'refused', status: 503 }])
  const error = refusal(404)
  const gone = play([{ chunks: [PING], ending: 'hang' }], { over: 'run', isOver: () => Promise.reject(error) })
  await expect(take(subscribe(gone.gateway))).rejects.toBe(error)
})
