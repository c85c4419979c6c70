import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../../test/support/gateway-fixture.ts'
import { createManualTimers } from '../../../test/support/manual-timers.ts'
import { createInTurn } from './fairness.ts'
import { createSenders } from './senders.ts'

/** Requests that end when the test says so. */
const setUp = () => {
  const [clock, timers] = [createTestClock(), createManualTimers()]
  const inTurn = createInTurn({
    senders: createSenders(clock, 1000),
    atOnce: 2,
    waitingAtMost: 3,
    waitMs: 5000,
    timers,
  })
  const begun: string[] = []
  const send = (appId: string, name: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = inTurn(appId, () => {
      begun.push(name)
      return promise
    })
    return {
      answer,
      end: async () => {
        resolve(name)
        await answer
        await Promise.resolve()
      },
    }
  }
  const sendMany = (appId: string, names: string) => [...names].map((name) => send(appId, name))
  return { clock, timers, begun, send, sendMany }
}

describe('requests of an application', () => {
  it('are all processed concurrently while no other application sends [LIMIT-26]', () => {
    const { begun, sendMany } = setUp()
    sendMany('large', 'abcdef')
    expect(begun.join('')).toBe('abcdef')
  })

  it('wait in order while another application sends [LIMIT-26]', async () => {
    const { begun, send, sendMany } = setUp()
    await send('small', 'x').end()
    const [a, b] = sendMany('large', 'abcde')
    expect(begun.join('')).toBe('xab')
    await b?.end()
    expect(begun.join('')).toBe('xabc')
    send('small', 'y')
    expect(begun.join('')).toBe('xabcy')
    await a?.end()
    expect(begun.join('')).toBe('xabcyd')
  })

  it('stop waiting when the other application has sent nothing for a while [LIMIT-26]', async () => {
    const { begun, clock, send, sendMany } = setUp()
    await send('small', 'x').end()
    const [a] = sendMany('large', 'abcde')
    clock.pass(1001)
    await a?.end()
    expect(begun.join('')).toBe('xabcde')
  })

  it('are refused if too many wait, or one has waited too long [LIMIT-26]', async () => {
    const { begun, timers, send, sendMany } = setUp()
    send('small', 'x')
    const sent = sendMany('large', 'abcdef')
    expect(await sent.at(-1)?.answer).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    timers.advance(5000)
    for (const { answer } of sent.slice(2)) expect(await answer).toMatchObject({ code: 'RATE_LIMITED' })
    await sent[0]?.end()
    send('large', 'g')
    expect(begun.join('')).toBe('xabg')
  })

  it('release their turn when they fail [LIMIT-26]', async () => {
    const inTurn = createInTurn({
      senders: createSenders(createTestClock()),
      atOnce: 1,
      waitMs: 1,
      timers: createManualTimers(),
    })
    await inTurn('small', async () => 'x')
    const failing = inTurn('large', () => Promise.reject(new Error('broken')))
    const next = inTurn('large', async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})
