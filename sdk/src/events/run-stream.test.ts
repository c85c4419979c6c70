import { expect, it } from 'vitest'
import { frameOf, PING, type PlayedConnection, someEvent } from '../../test/support/played-gateway.ts'
import { frames, play, refusal, seqsOf, take } from '../../test/support/subscription.ts'
import { StreamInterruptedError } from '../errors.ts'
import { subscribe } from './subscribe.ts'

it('closes the connection as soon as the last event of a run has arrived', async () => {
  const { gateway } = play([{ chunks: [frameOf(someEvent(2, 'run.failed'))], ending: 'hang' }], { over: 'run' })
  await subscribe(gateway)[Symbol.asyncIterator]().next()
  expect(gateway.openConnections).toBe(0)
})

it('ends after the last event of a run, with the connection closed', async () => {
  const { gateway } = play(
    [{ chunks: [frames(1) + frameOf(someEvent(2, 'run.failed')) + frames(3)], ending: 'hang' }],
    {
      over: 'run',
      findEnd: async () => 'passed',
    },
  )
  const stream = subscribe(gateway)
  expect(seqsOf(await take(stream))).toEqual([1, 2])
  expect([stream.position, gateway.openConnections, gateway.timesAsked]).toEqual([2, 0, 0])
})

const QUIET: PlayedConnection = { chunks: [PING], ending: 'hang' }
const LAST = frameOf(someEvent(2, 'run.completed'))
const RUN = { over: 'run' } as const

it.each<[string, PlayedConnection]>([
  ['a comment', QUIET],
  ['a clean end', { chunks: [], ending: 'end' }],
])('ends after %s when the last event has certainly passed', async (_, connection) => {
  const { gateway, timing } = play([connection], { ...RUN, findEnd: async () => 'passed' })
  expect(await timing.drive(take(subscribe(gateway, { after: 9 })))).toEqual([])
  expect([gateway.timesAsked, gateway.openConnections, timing.pending]).toEqual([1, 0, 0])
})

it.each<[string, readonly PlayedConnection[]]>([
  ['comments', [{ chunks: [PING, ': ok\n\n', PING, LAST], ending: 'hang' }]],
  ['a retry field', [{ chunks: ['retry: 1\n\n', LAST], ending: 'hang' }]],
  [
    'clean ends',
    [...Array<PlayedConnection>(5).fill({ chunks: [], ending: 'end' }), { chunks: [LAST], ending: 'end' }],
  ],
  [
    'comments and ends',
    [...Array<PlayedConnection>(5).fill({ chunks: [PING], ending: 'end' }), { chunks: [LAST], ending: 'end' }],
  ],
])('does not treat %s as the end of the stream of an ended run', async (_, connections) => {
  const { gateway, timing } = play(connections, { ...RUN, findEnd: async () => 'awaited' })
  expect(seqsOf(await timing.drive(take(subscribe(gateway))))).toEqual([2])
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
})

it('continues with an event that arrives during the search for the end', async () => {
  const found = Promise.withResolvers<'passed'>()
  const { gateway } = play([{ chunks: [PING, frames(1), LAST], ending: 'hang' }], {
    ...RUN,
    findEnd: () => found.promise,
  })
  const events = subscribe(gateway)[Symbol.asyncIterator]()
  expect(await events.next()).toMatchObject({ value: { seq: 1 } })
  found.resolve('passed')
  expect([await events.next(), await events.next()]).toMatchObject([{ value: { seq: 2 } }, { done: true }])
})

it('is interrupted if neither the last event nor a proof that it has passed arrives within the patience', async () => {
  const { gateway, timing } = play([], {
    ...RUN,
    play: () => QUIET,
    findEnd: async () => 'awaited',
    patienceMs: 10_000,
  })
  const error = await timing.drive(take(subscribe(gateway, { after: 7 })).catch((thrown: unknown) => thrown))
  expect(error).toBeInstanceOf(StreamInterruptedError)
  expect(error).toMatchObject({ position: 7, message: expect.stringContaining('read the run') })
  expect([gateway.openConnections, timing.pending]).toEqual([0, 0])
})

it('stops searching once the run is known to continue, or an event has arrived', async () => {
  const going = play([{ chunks: [PING, PING, PING, LAST], ending: 'hang' }], { ...RUN, findEnd: async () => 'running' })
  expect(seqsOf(await take(subscribe(going.gateway)))).toEqual([2])
  expect([going.gateway.timesAsked, going.gateway.positions.length]).toEqual([1, 1])
  const begun = play(
    [
      { chunks: [frames(1), PING], ending: 'end' },
      { chunks: [PING, LAST], ending: 'hang' },
    ],
    { ...RUN, findEnd: async () => 'passed' },
  )
  expect(seqsOf(await begun.timing.drive(take(subscribe(begun.gateway))))).toEqual([1, 2])
  expect(begun.gateway.timesAsked).toBe(0)
})

it('searches again a ping interval after a transient failure, and rejects with a permanent one', async () => {
  const answers = [refusal(503)]
  const { gateway, timing } = play([], {
    ...RUN,
    play: () => ({ chunks: [PING], ending: 'end' }),
    findEnd: async () => {
      const answer = answers.shift()
      if (answer) throw answer
      return 'passed'
    },
  })
  expect(await timing.drive(take(subscribe(gateway)))).toEqual([])
  expect(gateway.timesAsked).toBe(2)
  const error = refusal(404)
  const gone = play([QUIET], { ...RUN, findEnd: () => Promise.reject(error) })
  await expect(take(subscribe(gone.gateway))).rejects.toBe(error)
})
