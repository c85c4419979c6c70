import { afterEach, expect, it } from 'vitest'
import type { Attempt } from '../../src/delivery/attempt.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import { untilHolds } from '../support/until-holds.ts'
import {
  ANSWERED,
  ATTEMPTS,
  addDeliveries,
  createHeld,
  FAILED,
  HOUR_MS,
  newCallback,
  setUp,
  startWorker,
  statesOf,
  stopWorkers,
} from './worker-support.ts'

/** Workers on a real database. The test answers their attempts and moves clock and timers. */

afterEach(stopWorkers)

eachDatabase('A delivery worker', (database) => {
  it('is not slowed by a receiver that holds its connections open, because the slots of a receiver are limited', async () => {
    const { db, clock } = await setUp(database)
    const [bad, good] = [await newCallback(db, clock), await newCallback(db, clock)]
    await addDeliveries(db, clock, bad, 300)
    clock.pass(1000)
    await addDeliveries(db, clock, good, 300)
    clock.pass(1000)
    const { held, attempt } = createHeld()
    await startWorker(db, clock, async (delivery, signal) =>
      delivery.callbackId === bad ? attempt(delivery, signal) : ANSWERED,
    )
    await untilHolds(async () => expect(await statesOf(db, good)).toEqual({ delivered: 300 }))
    expect(held).toHaveLength(DEFAULT_DELIVERY_SETTINGS.concurrencyPerCallback)
    expect(await statesOf(db, bad)).toEqual({ sending: 8, pending: 292 })
  })

  it('limits the concurrent attempts to all receivers', async () => {
    const { db, clock } = await setUp(database)
    for (let n = 0; n < 4; n += 1) await addDeliveries(db, clock, await newCallback(db, clock), 10)
    clock.pass(1000)
    const { held, attempt } = createHeld()
    const { worker, hint } = await startWorker(db, clock, attempt, { concurrency: 20 })
    expect([held.length, worker.status().inFlight]).toEqual([20, 20])
    held[0]?.end(ANSWERED)
    await untilHolds(() => expect(held).toHaveLength(21))
    hint()
    expect(worker.status().inFlight).toBe(20)
  })

  it('retries within 60 seconds the deliveries that a dead worker was sending, and counts that attempt [CB-47]', async () => {
    const { db, clock } = await setUp(database)
    const callbackId = await newCallback(db, clock)
    await addDeliveries(db, clock, callbackId, 1)
    clock.pass(1000)
    const dead = createHeld()
    await startWorker(db, clock, dead.attempt)
    expect(dead.held).toHaveLength(1)
    const living = createHeld()
    const { poll } = await startWorker(db, clock, living.attempt)
    clock.pass(DEFAULT_DELIVERY_SETTINGS.leaseMs - 1)
    poll()
    await untilHolds(async () => expect(await statesOf(db, callbackId)).toEqual({ sending: 1 }))
    expect(DEFAULT_DELIVERY_SETTINGS.leaseMs + DEFAULT_DELIVERY_SETTINGS.pollMs).toBeLessThan(60_000)
    clock.pass(1)
    poll()
    await untilHolds(() => expect(living.held).toHaveLength(1))
    expect(living.held[0]?.delivery).toMatchObject({ attempts: 2, attemptsEver: 2 })
    // The first worker was only suspended, but its lease has expired, so its report is ignored.
    dead.held[0]?.end({ kind: 'answered', status: 400, retryAfter: null, excerpt: '' })
    living.held[0]?.end(ANSWERED)
    await untilHolds(async () => expect(await statesOf(db, callbackId)).toEqual({ delivered: 1 }))
    expect(await db.query(ATTEMPTS, [callbackId])).toMatchObject([
      { attempt: 1, error: expect.stringContaining('ended before'), latencyMs: null },
      { attempt: 2, error: null },
    ])
  })

  it('expires deliveries whose eighth attempt was lost with its worker, and those past their window', async () => {
    const { db, clock } = await setUp(database)
    const [spent, late] = [await newCallback(db, clock), await newCallback(db, clock)]
    await addDeliveries(db, clock, spent, 1)
    await db.query(
      {
        name: 'test_spend',
        access: 'write',
        text: 'update deliveries set attempts = 7, attempts_ever = 7 where callback_id = $1',
      },
      [spent],
    )
    clock.pass(1000)
    const { held, attempt } = createHeld()
    await startWorker(db, clock, attempt)
    expect(held).toHaveLength(1)
    await addDeliveries(db, clock, late, 1)
    clock.pass(24 * HOUR_MS)
    const { poll } = await startWorker(db, clock, attempt)
    poll()
    await untilHolds(async () =>
      expect([await statesOf(db, spent), await statesOf(db, late)]).toEqual([{ expired: 1 }, { expired: 1 }]),
    )
    expect(held).toHaveLength(1)
  })

  it('abandons the attempts that outlast the grace period when it is stopped; their deliveries are pending again', async () => {
    const { db, clock } = await setUp(database)
    const callbackId = await newCallback(db, clock)
    await addDeliveries(db, clock, callbackId, 3)
    clock.pass(1000)
    const { held, attempt } = createHeld()
    const { worker, timers } = await startWorker(db, clock, attempt, { shutdownGraceMs: 4000, shutdownStopMs: 2000 })
    expect(held).toHaveLength(3)
    const stopped = worker.stop()
    held[0]?.end(ANSWERED)
    await untilHolds(async () => expect(await statesOf(db, callbackId)).toEqual({ delivered: 1, sending: 2 }))
    timers.advance(4000)
    await stopped
    expect(await statesOf(db, callbackId)).toEqual({ delivered: 1, pending: 2 })
  })

  it('starts the first attempts of a conversation one after the other, also across workers [CB-64]', async () => {
    const { db, clock } = await setUp(database)
    const callbackId = await newCallback(db, clock)
    await addDeliveries(db, clock, callbackId, 3, 1)
    clock.pass(1000)
    const { held, attempt } = createHeld()
    await startWorker(db, clock, attempt)
    const { hint } = await startWorker(db, clock, attempt)
    expect(held.map(({ delivery }) => delivery.eventId.slice(-1))).toEqual(['1'])
    held[0]?.end(FAILED)
    await untilHolds(() => expect(held).toHaveLength(2))
    clock.pass(6000)
    hint()
    // The first delivery is retried while the first attempt of the second is in progress.
    await untilHolds(() => expect(held.map(({ delivery }) => delivery.eventId.slice(-1))).toEqual(['1', '2', '1']))
  })

  it('drains 1,000 pending deliveries, each once and in the order of their next attempts', async () => {
    const { db, clock } = await setUp(database)
    const callbackId = await newCallback(db, clock)
    const count = 1000
    await addDeliveries(db, clock, callbackId, count, 500)
    clock.pass(60_000)
    const order: number[] = []
    let inProgress = 0
    let mostInProgress = 0
    const { worker } = await startWorker(db, clock, async ({ eventId }) => {
      order.push(Number(eventId.slice(-6)))
      inProgress += 1
      mostInProgress = Math.max(mostInProgress, inProgress)
      await null
      inProgress -= 1
      return ANSWERED
    })
    while (order.length < count || worker.status().inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await statesOf(db, callbackId)).toEqual({ delivered: count })
    expect([order.length, new Set(order).size]).toEqual([count, count])
    // Concurrent attempts may start out of order, by at most their number.
    const { concurrencyPerCallback } = DEFAULT_DELIVERY_SETTINGS
    expect(Math.max(...order.map((n, place) => Math.abs(n - 1 - place)))).toBeLessThanOrEqual(concurrencyPerCallback)
    expect(mostInProgress).toBeLessThanOrEqual(concurrencyPerCallback)
  })
})

onPostgres('Several delivery workers', (database) => {
  it('send every delivery exactly once, and those of a conversation in order', { timeout: 120_000 }, async () => {
    const { db, clock } = await setUp(database)
    const callbackIds = await Promise.all(Array.from({ length: 5 }, () => newCallback(db, clock)))
    for (const callbackId of callbackIds) await addDeliveries(db, clock, callbackId, 400, 40)
    clock.pass(60_000)
    const sent: string[] = []
    const lastSeq = new Map<string, number>()
    const disorder: string[] = []
    const attempt: Attempt = async ({ callbackId, eventId }) => {
      sent.push(`${callbackId} ${eventId}`)
      const n = Number(eventId.slice(-6))
      const conversation = `${callbackId} ${n % 40}`
      if ((lastSeq.get(conversation) ?? 0) > n) disorder.push(conversation)
      lastSeq.set(conversation, n)
      return ANSWERED
    }
    await Promise.all(Array.from({ length: 4 }, () => startWorker(database.openAnother(), clock, attempt)))
    for (const callbackId of callbackIds)
      await untilHolds(async () => expect(await statesOf(db, callbackId)).toEqual({ delivered: 400 }))
    expect([sent.length, new Set(sent).size, disorder]).toEqual([2000, 2000, []])
  })
})
