import fc from 'fast-check'
import { expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { settle } from '../../test/support/manual-timing.ts'
import { frameOf, type PlayedConnection, type PlayedGateway, someEvent } from '../../test/support/played-gateway.ts'
import { createAnsweringFetch, raw } from '../../test/support/scripted-fetch.ts'
import { KEY, ORIGIN } from '../../test/support/settings.ts'
import { frames, play } from '../../test/support/subscription.ts'
import { createClient } from '../client/create-client.ts'
import { ConnectionError, StreamInterruptedError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import type { SharedStreams } from './shared-stream.ts'
import type { StreamOptions } from './stream-source.ts'
import { type EventStream, subscribe } from './subscribe.ts'

const shareOf = (gateway: PlayedGateway) => {
  const streams: SharedStreams = new Map()
  return {
    streams,
    read: (options?: StreamOptions): EventStream => subscribe(gateway, options, { streams, key: 'conv_1' }),
  }
}

const begin = (stream: EventStream): AsyncIterator<EventEnvelope> => stream[Symbol.asyncIterator]()
const seqOf = async (events: AsyncIterator<EventEnvelope>): Promise<number> => (await events.next()).value.seq
const seqsOf = async (events: AsyncIterator<EventEnvelope>, count: number): Promise<number[]> => {
  const seqs: number[] = []
  while (seqs.length < count) seqs.push(await seqOf(events))
  return seqs
}

it('gives each reader each event once and in order, with readers that join, leave and lag, and with cut connections', async () => {
  const reader = fc.record({
    after: fc.option(fc.nat(700)),
    /** Turns of the event loop before it begins, and sometimes between its events. */
    late: fc.nat(30),
    slow: fc.nat(3),
    every: fc.integer({ min: 1, max: 300 }),
    leavesAfter: fc.option(fc.nat(300)),
  })
  const cut = fc.record({
    events: fc.nat(400),
    chunk: fc.integer({ min: 1, max: 200 }),
    ending: fc.constantFrom('end', 'reset', 'refused'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 700 }),
      fc.array(reader, { minLength: 1, maxLength: 5 }),
      fc.array(cut, { maxLength: 6 }),
      async (count, readers, cuts) => {
        const log = [
          ...Array.from({ length: count }, (_, index) => someEvent(index + 1)),
          someEvent(count + 1, 'run.completed'),
        ]
        const { gateway, timing } = play([], {
          over: 'run',
          findEnd: async () => 'running',
          play: (index, position) => {
            const fault = cuts[index]
            const due = log.filter(({ seq }) => seq > (position ?? 0))
            if (fault?.ending === 'refused') return { error: new ConnectionError('no') }
            const sent = due.slice(0, fault?.events ?? due.length)
            const size = fault?.chunk ?? 50
            const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
              sent
                .slice(at * size, (at + 1) * size)
                .map((event) => frameOf(event))
                .join(''),
            )
            return { chunks, ending: fault?.ending ?? 'hang' }
          },
        })
        const { streams, read } = shareOf(gateway)
        const run = async ({ after, late, slow, every, leavesAfter }: (typeof readers)[number]): Promise<void> => {
          for (let i = 0; i < late; i++) await settle()
          const start = after === null ? null : Math.min(after, count)
          const due = log.filter(({ seq }) => seq > (start ?? 0))
          const most = leavesAfter === null ? due.length : Math.min(due.length, leavesAfter + 1)
          const taken: EventEnvelope[] = []
          for await (const event of read(start === null ? {} : { after: start })) {
            taken.push(event)
            if (leavesAfter !== null && taken.length >= most) break
            if (taken.length % every === 0) for (let i = 0; i < slow; i++) await settle()
          }
          expect(taken).toEqual(due.slice(0, most))
        }
        await timing.drive(Promise.all(readers.map(run)))
        expect(streams.size).toBe(0)
        await settle()
        expect(gateway.openConnections).toBe(0)
        expect(timing.pending).toBe(0)
      },
    ),
    // A sample that hangs takes a minute, so report it without shrinking.
    { numRuns: 150, endOnFailure: true },
  )
})

it('has one connection for all equal readers', async () => {
  const { gateway } = play([{ chunks: [frames(6, 7), frames(8)], ending: 'hang' }])
  const { read } = shareOf(gateway)
  const [first, second] = [begin(read({ after: 5 })), begin(read({ after: 5 }))]
  expect(await Promise.all([seqsOf(first, 3), seqsOf(second, 3)])).toEqual([
    [6, 7, 8],
    [6, 7, 8],
  ])
  expect(gateway.positions).toEqual([5])
})

it('accepts a later reader whose position is still buffered', async () => {
  const { gateway } = play([{ chunks: [frames(6, 7, 8), frames(9)], ending: 'hang' }])
  const { read } = shareOf(gateway)
  const first = begin(read({ after: 5 }))
  expect(await seqsOf(first, 3)).toEqual([6, 7, 8])
  const second = begin(read({ after: 7 }))
  expect(await seqsOf(second, 2)).toEqual([8, 9])
  expect(gateway.positions).toEqual([5])
})

it('lets a reader that is behind catch up on its own connection, which is then closed', async () => {
  const { gateway } = play([
    { chunks: [frames(6, 7), frames(8)], ending: 'hang' },
    { chunks: [frames(3, 4, 5), frames(6)], ending: 'hang' },
  ])
  const { read } = shareOf(gateway)
  const first = begin(read({ after: 5 }))
  expect(await seqOf(first)).toBe(6)
  const second = begin(read({ after: 2 }))
  expect(await seqsOf(second, 6)).toEqual([3, 4, 5, 6, 7, 8])
  expect(gateway.positions).toEqual([5, 2])
  expect(gateway.openConnections).toBe(1)
})

it('buffers a bounded number of events: a reader that is slower, or begins earlier, reads alone', async () => {
  const whole = Array.from({ length: 1_200 }, (_, index) => index + 1)
  const chunks = (from: number) =>
    Array.from({ length: 12 }, (_, at) => frames(...whole.slice(at * 100, at * 100 + 100).filter((seq) => seq > from)))
  const { gateway } = play([0, 100, 10].map((from) => ({ chunks: chunks(from), ending: 'hang' })))
  const { read } = shareOf(gateway)
  const [slow, fast] = [begin(read({ after: 0 })), begin(read({ after: 0 }))]
  expect(await seqOf(slow)).toBe(1)
  expect(await seqsOf(fast, 1_200)).toEqual(whole)
  expect(await seqsOf(slow, 1_199)).toEqual(whole.slice(1))
  expect(await seqsOf(begin(read({ after: 10 })), 1_190)).toEqual(whole.slice(10))
  expect(gateway.positions).toEqual([0, 100, 10])
  expect(gateway.openConnections).toBe(1)
})

it('delivers every event of a chunk that is larger than its buffer', async () => {
  const whole = Array.from({ length: 1_200 }, (_, index) => index + 1)
  const { gateway } = play([{ chunks: [frames(...whole.slice(0, 600)), frames(...whole.slice(600))], ending: 'hang' }])
  const { read } = shareOf(gateway)
  expect(await seqsOf(begin(read({ after: 0 })), 1_200)).toEqual(whole)
  expect(gateway.positions).toEqual([0])
})

it('reads no more than the fastest reader requests', async () => {
  const { gateway } = play([{ chunks: [frames(1), frames(2), frames(3)], ending: 'hang' }])
  const { read } = shareOf(gateway)
  const [first, second] = [begin(read({ after: 0 })), begin(read({ after: 0 }))]
  await first.next()
  await second.next()
  await settle()
  expect(gateway.chunksRead).toBe(1)
})

it('is closed when the last reader leaves, and not before', async () => {
  const { gateway } = play([{ chunks: [frames(1), frames(2)], ending: 'hang' }])
  const { read, streams } = shareOf(gateway)
  const [first, second] = [begin(read({ after: 0 })), begin(read({ after: 0 }))]
  await Promise.all([first.next(), second.next()])
  await first.return?.()
  expect(gateway.openConnections).toBe(1)
  expect(await seqOf(second)).toBe(2)
  await second.return?.()
  await settle()
  expect([gateway.openConnections, streams.size]).toEqual([0, 0])
})

it('ends at once for a reader that aborts, and is closed when the other reader has left', async () => {
  const { gateway } = play([{ chunks: [frames(1)], ending: 'hang' }])
  const { read } = shareOf(gateway)
  const caller = new AbortController()
  const [first, second] = [begin(read({ after: 0, signal: caller.signal })), begin(read({ after: 0 }))]
  await Promise.all([first.next(), second.next()])
  const waiting = Promise.all([expect(first.next()).rejects.toThrow('the user left'), second.return?.()])
  caller.abort(new Error('the user left'))
  await waiting
  await settle()
  expect(gateway.openConnections).toBe(0)
})

it('fails for all readers when it gives up, and starts again for later readers', async () => {
  const refused: PlayedConnection = { error: new ConnectionError('no') }
  const { gateway, timing } = play([{ chunks: [frames(1)], ending: 'reset' }, ...Array(9_000).fill(refused)])
  const { read, streams } = shareOf(gateway)
  const [first, second] = [begin(read({ after: 0 })), begin(read({ after: 0 }))]
  await Promise.all([first.next(), second.next()])
  const failure = await timing.drive(first.next()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StreamInterruptedError)
  expect(failure).toMatchObject({ position: 1 })
  expect(streams.size).toBe(0)
  const opened = gateway.positions.length
  const third = begin(read({ after: 1 }))
  const next = third.next()
  next.catch(() => {})
  while (gateway.positions.length === opened) await settle()
  expect(gateway.positions.at(-1)).toBe(1)
  await third.return?.()
  await expect(second.next()).rejects.toBe(failure)
})

it('is shared only by clients of one subject', async () => {
  const { fetch, requests } = createAnsweringFetch(
    raw(200, `${frames(1, 2)}${frameOf(someEvent(3, 'run.completed'))}`, { 'content-type': 'text/event-stream' }),
  )
  const client = createClient({ baseUrl: ORIGIN, apiKey: KEY, subject: 'one', fetch })
  const streams = [
    client.runs.events('run_1', { after: 0 }),
    client.forSubject('one').runs.events('run_1', { after: 0 }),
    client.runs.events('run_2', { after: 0 }),
    client.forSubject('two').runs.events('run_1', { after: 0 }),
    client.runs.events('run_1', { after: 0, headers: { 'x-tenant': 'a' } }),
  ]
  const read = await Promise.all(streams.map((stream) => all(stream)))
  expect(read.map((events) => events.map(({ seq }) => seq))).toEqual(streams.map(() => [1, 2, 3]))
  expect(requests).toHaveLength(4)
})
