import { expect, it } from 'vitest'
import { frameOf, PING, type PlayedConnection, someEvent } from '../../test/support/played-gateway.ts'
import { frames, play, refusal, seqsOf, take } from '../../test/support/subscription.ts'
import { subscribe } from './subscribe.ts'

it('closes the connection as soon as the last event of a run has come', async () => {
  const { gateway } = play([{ chunks: [frameOf(someEvent(2, 'run.failed'))], ending: 'hang' }], { over: 'run' })
  await subscribe(gateway)[Symbol.asyncIterator]().next()
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
