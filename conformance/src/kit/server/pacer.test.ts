import { describe, expect, it } from 'vitest'
import type { ServerCheck } from './context.ts'
import { createPacer, type PacerClock, refusalsExaminedBy } from './pacer.ts'
import type { Answer } from './wire.ts'

const REQUEST = { method: 'GET', path: '/api/v1/runs/run_1' }

const answerOf = (status: number, headers: Record<string, string> = {}, body: unknown = {}): Answer => ({
  request: REQUEST,
  status,
  headers,
  headerLines: [],
  bytes: Buffer.alloc(0),
  text: '',
  body,
})
const LIMITED = answerOf(429, { 'retry-after': '2' }, { code: 'RATE_LIMITED' })
const OK = answerOf(200)

/** A clock on which every wait passes immediately. */
const createClock = (): PacerClock & { readonly waited: number[] } => {
  let time = 0
  const waited: number[] = []
  return {
    waited,
    now: () => time,
    wait: async (milliseconds) => {
      waited.push(milliseconds)
      time += milliseconds
    },
  }
}

/** Sends a request that gets these answers in turn, and then always the last one. */
const sendThrough = async (answers: readonly Answer[], isMet = (_answer: Answer) => false) => {
  const clock = createClock()
  const pacer = createPacer(clock)
  let sent = 0
  const attempt = async () => answers[Math.min(sent++, answers.length - 1)] ?? OK
  const { signal } = new AbortController()
  const send = () => pacer.send(REQUEST, { attempt, isMet, signal })
  const last = await send()
  return { clock, pacer, last, send, sent: () => sent }
}

describe('the pacer', () => {
  it.each([
    ['a 429 RATE_LIMITED', LIMITED],
    ['a 429 without a code', answerOf(429, { 'retry-after': '2' }, undefined)],
    ['a 503', answerOf(503, { 'retry-after': '2' })],
    ['a 503 until a date', answerOf(503, { 'retry-after': new Date(Date.now() + 3000).toUTCString() })],
  ])('waits for the time in Retry-After before it repeats a request refused with %s', async (_name, refusal) => {
    const { last, pacer, clock } = await sendThrough([refusal, refusal, OK])
    expect(last.status).toBe(200)
    expect(pacer.waits()).toBe(2)
    expect(pacer.pausedMs()).toBe(clock.now())
    expect(clock.now()).toBeGreaterThan(1000)
  })

  it.each([
    ['QUEUE_FULL', answerOf(429, { 'retry-after': '2' }, { code: 'QUEUE_FULL' })],
    ['PENDING_LIMIT', answerOf(429, { 'retry-after': '2' }, { error: { code: 'PENDING_LIMIT' } })],
    ['STREAM_LIMIT', answerOf(429, { 'retry-after': '2' }, { code: 'STREAM_LIMIT' })],
    ['a 429 without Retry-After', answerOf(429)],
    ['a 503 of unknown outcome', answerOf(503, { 'retry-after': '1' }, { outcome: 'unknown' })],
    ['a pause above the maximum', answerOf(429, { 'retry-after': '3600' })],
    ['an unreadable Retry-After', answerOf(429, { 'retry-after': 'soon' })],
  ])('returns %s to the check without waiting', async (_name, refusal) => {
    const { last, pacer, sent } = await sendThrough([refusal, OK])
    expect(last).toBe(refusal)
    expect([pacer.waits(), sent()]).toEqual([0, 1])
  })

  it('delays the requests of all checks until the pause is over', async () => {
    const clock = createClock()
    const pacer = createPacer(clock)
    const { signal } = new AbortController()
    const sentAt: number[] = []
    const answers = [LIMITED, OK, OK]
    const attempt = async () => {
      sentAt.push(clock.now())
      return answers.shift() ?? OK
    }
    await pacer.send(REQUEST, { attempt, isMet: () => false, signal })
    await pacer.send({ method: 'GET', path: '/elsewhere' }, { attempt, isMet: () => false, signal })
    expect(sentAt).toEqual([0, 2000, 2000])
  })

  it('gives up a request after half a minute, and later ones of its operation immediately', async () => {
    const { last, pacer, clock, sent, send } = await sendThrough([LIMITED])
    expect(last).toBe(LIMITED)
    expect(clock.now()).toBe(30_000)
    const before = sent()
    expect(await send()).toBe(LIMITED)
    expect(sent()).toBe(before + 1)
    expect(pacer.pausedMs()).toBe(30_000)
  })

  it('pauses a run for at most ten minutes in total', async () => {
    const clock = createClock()
    const pacer = createPacer(clock)
    const { signal } = new AbortController()
    for (let request = 0; request < 100; request += 1) {
      const path = `/${request}`
      await pacer.send({ method: 'GET', path }, { attempt: async () => LIMITED, isMet: () => false, signal })
    }
    expect(pacer.pausedMs()).toBe(600_000)
  })

  it('returns only those refusals to a check that the check provokes', () => {
    const codeless = answerOf(429, { 'retry-after': '1' })
    const unavailable = answerOf(503, { 'retry-after': '1' })
    const seenBy = (check: Partial<ServerCheck>): boolean[] =>
      [LIMITED, codeless, unavailable].map(
        refusalsExaminedBy({ id: 'a/b', title: 'a', rules: ['GEN-01'], run: async () => {}, ...check }),
      )
    expect(seenBy({})).toEqual([false, false, false])
    expect(seenBy({ tags: ['limit'] })).toEqual([false, true, false])
    expect(seenBy({ needs: ['driver.pauseDevice'] })).toEqual([false, false, true])
    expect(seenBy({ meetsRateLimit: true })).toEqual([true, true, true])
  })
})
