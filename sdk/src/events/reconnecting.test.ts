import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-timing.ts'
import { PING, type PlayedConnection } from '../../test/support/played-gateway.ts'
import { BROKEN, frames, play, refusal, seqsOf, take } from '../../test/support/subscription.ts'
import { ConnectionError, NotSentError, StreamInterruptedError } from '../errors.ts'
import { subscribe } from './subscribe.ts'

it("does not count the consumer's time against the patience", async () => {
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

it('treats a connection without a byte for three ping intervals as dead', async () => {
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

it('does not time out a connection that it does not read', async () => {
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

it('backs off from a gateway that ends every stream at once, and resets the backoff after progress', async () => {
  const ended: PlayedConnection = { chunks: ['retry: 2000\n\n'], ending: 'end' }
  const progress: PlayedConnection = { chunks: ['retry: 2000\n\n', frames(1)], ending: 'end' }
  const { gateway, timing } = play([ended, ended, ended, progress, ended, { chunks: [frames(2)], ending: 'hang' }])
  await timing.drive(take(subscribe(gateway), 2))
  const delays = gateway.decisions.map((decision) => 'delayMs' in decision && decision.delayMs)
  expect(delays).toEqual([2125, 2250, 2500, 2125, 2250])
})

it('keeps a minimum delay, even if the gateway requests a shorter one', async () => {
  const { gateway, timing } = play([
    { chunks: ['retry: 0\n\n'], ending: 'end' },
    { chunks: [frames(1)], ending: 'end' },
  ])
  await timing.drive(take(subscribe(gateway), 1))
  expect(gateway.decisions).toMatchObject([{ delayMs: 125 }])
})

it('gives up when the next wait would exceed the patience', async () => {
  const error = new ConnectionError('down')
  const { gateway, timing } = play([], { play: () => ({ error }), patienceMs: 10_000 })
  const failure = await timing.drive(take(subscribe(gateway, { after: 7 })).catch((thrown: unknown) => thrown))
  expect(failure).toBeInstanceOf(StreamInterruptedError)
  expect(failure).toMatchObject({ position: 7, cause: error, message: expect.stringContaining('after 7') })
  expect(gateway.decisions.at(-1)).toMatchObject({
    kind: 'give-up',
    trouble: 'connection',
    attempts: 6,
    elapsedMs: 8875,
  })
})

it('gives up at once on a fault of the set-up, such as a wrong certificate', async () => {
  const error = new NotSentError('self-signed certificate', { isTransient: false })
  const { gateway, timing } = play([], { play: () => ({ error }) })
  await expect(timing.drive(take(subscribe(gateway)))).rejects.toBe(error)
  expect(gateway.decisions).toEqual([])
})

const OLD = frames(3)

it.each([
  ['a comment', PING],
  ['another comment', ': ok\n\n'],
  ['a retry field', 'retry: 10\n\n'],
  ['an event that was already received', OLD],
  ['nothing', ''],
])('gives up on connections that send %s and end, because that is no progress', async (_, text) => {
  const { gateway, timing } = play([], { play: () => ({ chunks: [text], ending: 'end' }), patienceMs: 20_000 })
  const failure = await timing.drive(take(subscribe(gateway, { after: 3 })).catch((thrown: unknown) => thrown))
  expect(failure).toBeInstanceOf(StreamInterruptedError)
  expect(failure).toMatchObject({ position: 3 })
})

it('keeps reconnecting in a quiet conversation whose connections are cut after a ping interval', async () => {
  let connections = 0
  const { gateway, timing } = play([], {
    play: () =>
      ++connections > 50
        ? { chunks: [frames(1)], ending: 'hang' }
        : { chunks: [PING], ending: 'reset', silentMs: 15_000 },
    patienceMs: 20_000,
  })
  expect(await timing.drive(take(subscribe(gateway), 1))).toHaveLength(1)
  expect(gateway.decisions).toHaveLength(50)
})
