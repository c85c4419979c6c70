import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../test/support/manual-timers.ts'
import { inputOf, play } from '../../test/support/play-assistant.ts'
import { createSleep } from '../runtime/sleep.ts'
import { createScript, SCRIPT_STEPS, SCRIPT_WAIT_MS } from './script.ts'

const scripted = (script: unknown) => inputOf({ text: 'the text', data: { script }, resourceIds: [] })
const OWN = { filename: 'own.txt', contentType: 'text/plain', size: 1, readContent: async () => new Uint8Array(1) }
const readResource = async (resourceId: string) => (resourceId.startsWith('res_own') ? OWN : null)
const perform = (script: unknown) =>
  play(createScript(createSleep(createManualTimers())), { input: scripted(script), readResource })

describe('a script', () => {
  it('fails if its result has too many attachments, or one of another subject, and names its place [SCRIPT-14]', async () => {
    const { steps, outcome } = await perform([
      { delta: 'a' },
      { succeed: { resource_ids: ['res_own_1', 'res_foreign', 'res_own_2'] } },
    ])
    expect(steps).toEqual([{ delta: 'a' }])
    expect(outcome).toMatchObject({
      state: 'failed',
      error: {
        code: 'SCRIPT_INVALID',
        message: expect.stringMatching(/^input\.data\.script\[1\]\.succeed\.resource_ids\[1\]: /),
      },
    })
    const many = Array(LIMITS.resultResources + 1).fill('res_own')
    expect((await perform([{ succeed: { resource_ids: many } }])).outcome).toMatchObject({ state: 'failed' })
    expect((await perform([{ succeed: { resource_ids: many.slice(1) } }])).outcome).toMatchObject({
      state: 'succeeded',
    })
  })

  it('fails with the error of its step, which is not retryable by default [SCRIPT-08]', async () => {
    const error = { code: 'NO_STOCK', message: 'None is left.' }
    expect((await perform([{ delta: 'a' }, { fail: error }])).outcome).toEqual({
      state: 'failed',
      error: { ...error, retryable: false },
    })
    expect((await perform([{ fail: { ...error, retryable: true } }])).outcome).toMatchObject({
      error: { retryable: true },
    })
  })

  it('passes simulated faults on to the worker', async () => {
    const { steps } = await perform([{ stop_delay_ms: 5 }, { ignore_stop: true }, { crash: true }])
    expect(steps).toEqual([{ stopDelayMs: 5 }, { ignoreStop: true }, { crash: true }])
  })

  it.each([[{ sleep_ms: 1000 }], [{ hang: true }]])('ends at once when it is stopped during %j', async (step) => {
    const timers = createManualTimers()
    const stopping = new AbortController()
    const performing = play(createScript(createSleep(timers)), {
      input: scripted([step, { succeed: {} }]),
      signal: stopping.signal,
    })
    await new Promise(setImmediate)
    stopping.abort()
    expect(await performing).toEqual({ steps: [], outcome: undefined })
    expect(timers.pending).toBe(0)
  })
})

describe('a malformed script fails with SCRIPT_INVALID before its first step [SCRIPT-01]', () => {
  const ok = { delta: 'a' }
  it.each<[string, unknown, string]>([
    ['not a list', { delta: 'a' }, 'input.data.script: '],
    ['null', null, 'input.data.script: '],
    ['a step that is not an object', [ok, 'delta'], 'input.data.script[1]: '],
    ['no member', [ok, {}], 'input.data.script[1]: must have exactly one member'],
    ['two members', [{ delta: 'a', message: 'b' }], 'input.data.script[0]: must have exactly one member'],
    ['an unknown member', [ok, ok, { dance: true }], 'input.data.script[2]: Unrecognized key: "dance"'],
    ['a delta that is not a text', [{ delta: 7 }], 'input.data.script[0].delta: '],
    ['a sleep below 0', [{ sleep_ms: -1 }], 'input.data.script[0].sleep_ms: '],
    ['a sleep that is too long', [{ sleep_ms: SCRIPT_WAIT_MS + 1 }], 'input.data.script[0].sleep_ms: '],
    ['a fractional sleep', [{ sleep_ms: 1.5 }], 'input.data.script[0].sleep_ms: '],
    ['a false flag', [{ hang: false }], 'input.data.script[0].hang: '],
    ['a failure without code', [{ fail: { message: 'm' } }], 'input.data.script[0].fail.code: '],
    ['a lower-case code', [{ fail: { code: 'no', message: 'm' } }], 'input.data.script[0].fail.code: '],
    ['an unknown detail', [{ succeed: { txt: 'a' } }], 'input.data.script[0].succeed: Unrecognized key: "txt"'],
    ['too many steps', Array.from({ length: SCRIPT_STEPS + 1 }, () => ok), 'input.data.script: '],
  ])('%s', async (_, script, beginning) => {
    const { steps, outcome } = await perform(script)
    expect(steps).toEqual([])
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'SCRIPT_INVALID', retryable: false } })
    if (outcome?.state === 'failed')
      expect(outcome.error.message.startsWith(beginning), outcome.error.message).toBe(true)
  })

  it('but the longest script and the longest delay of a stop are allowed', async () => {
    const script = [...Array.from({ length: SCRIPT_STEPS - 1 }, () => ok), { stop_delay_ms: SCRIPT_WAIT_MS }]
    expect((await perform(script)).steps.length).toBe(SCRIPT_STEPS)
  })
})
