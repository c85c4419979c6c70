import fc from 'fast-check'
import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-timing.ts'
import { frameOf, PING, type PlayedConnection, someEvent } from '../../test/support/played-gateway.ts'
import { BROKEN, frames, HANGING, play, refusal, take } from '../../test/support/subscription.ts'
import { ConnectionError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { subscribe } from './subscribe.ts'

it('yields each event once and in order, despite cut connections and repeated events', async () => {
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
        const findEnd = async () => 'awaited' as const
        const { gateway, timing } = play([], { play: connection, ...(isRun ? { over: 'run', findEnd } : {}) })
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

it('opens nothing before the first event is requested', async () => {
  const { gateway } = play([])
  subscribe(gateway)[Symbol.asyncIterator]()
  await settle()
  expect(gateway.positions).toEqual([])
})

it('moves its position when the next event is requested', async () => {
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

it('reads from the network only on demand', async () => {
  const { gateway } = play([{ chunks: [frames(1, 2), frames(3), frames(4)], ending: 'hang' }])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  await events.next()
  await settle()
  expect(gateway.chunksRead).toBe(1)
})

it('delivers received events before it opens the next connection', async () => {
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

it('delivers events of unknown types', async () => {
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

it('reports no decision for a connection that the signal closes', async () => {
  const { gateway, timing } = play([{ chunks: [PING], ending: 'hang' }], {
    over: 'run',
    findEnd: async () => 'awaited',
    ignoresSignal: true,
  })
  const caller = new AbortController()
  const reason = new Error('enough')
  const taken = expect(take(subscribe(gateway, { signal: caller.signal }))).rejects.toBe(reason)
  await settle()
  expect(gateway.openConnections).toBe(1)
  caller.abort(reason)
  await taken
  expect([gateway.openConnections, timing.pending, gateway.decisions.length]).toEqual([0, 0, 0])
})

it('closes the connection when the signal is aborted while no event is requested', async () => {
  const { gateway, timing } = play([{ chunks: [frames(1)], ending: 'hang' }], { ignoresSignal: true })
  const caller = new AbortController()
  const stream = subscribe(gateway, { signal: caller.signal }, { streams: new Map(), key: 'conv_1' })
  const events = stream[Symbol.asyncIterator]()
  await events.next()
  caller.abort(new Error('enough'))
  await settle()
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
  await expect(events.next()).rejects.toThrow('enough')
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

it('returns an iterator that is iterable itself', async () => {
  const { gateway } = play([{ chunks: [frames(1, 2)], ending: 'hang' }])
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  await events.next()
  for await (const { seq } of events) {
    expect(seq).toBe(2)
    break
  }
  expect(gateway.openConnections).toBe(0)
})

it.each(['its own', 'a shared'])(
  'reports once that the gateway has accepted the position, on %s connection',
  async (whose) => {
    const { gateway, timing } = play([
      { error: refusal(503) },
      { chunks: [frames(1)], ending: 'reset' },
      { chunks: [frames(2)], ending: 'hang' },
    ])
    let opened = 0
    const onOpen = () => {
      opened += 1
    }
    const sharing = whose === 'its own' ? null : { streams: new Map(), key: 'conv_1' }
    const events = subscribe(gateway, { onOpen }, sharing)[Symbol.asyncIterator]()
    const first = events.next()
    await settle()
    expect(opened).toBe(0)
    await timing.drive(first)
    await timing.drive(events.next())
    expect(opened).toBe(1)
    await events.return?.()
  },
)

it('delivers and reports nothing after the signal was aborted, and closes the connection at once', async () => {
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
  'resolves each of several pending next() with its own event, in order, called %i ticks apart',
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

it.each([400, 401, 403, 404, 406, 410, 501])('ends with the error of a %i', async (status) => {
  const error = refusal(status)
  const { gateway } = play([{ error }])
  await expect(take(subscribe(gateway))).rejects.toBe(error)
  expect(gateway.decisions).toEqual([])
})

it('ends with an error that is not a connection error, without retrying', async () => {
  const error = new TypeError('a mistake')
  await expect(take(subscribe(play([{ error }]).gateway))).rejects.toBe(error)
})

it('cancels the body too, for a fetch that ignores its signal', async () => {
  const { gateway } = play([{ chunks: [frames(1)], ending: 'hang' }], { ignoresSignal: true })
  await take(subscribe(gateway), 1)
  expect(gateway.openConnections).toBe(0)
})
