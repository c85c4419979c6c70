import { describe, expect, it } from 'vitest'
import { type Check, UntestableError } from '../kit/check.ts'
import { AnswerError, DriverError } from '../kit/failure.ts'
import type { Session, System } from '../kit/system.ts'
import { createWaits, type Waits } from '../kit/waits.ts'
import { runCheck } from './run-check.ts'

const never = new Promise<never>(() => {})

interface Parts {
  readonly run?: (waits: Waits) => Promise<void>
  readonly open?: () => Promise<Session<Waits>>
  readonly close?: () => Promise<readonly string[]>
}

/** Runs a check in a session of its own, and returns its outcome and the reason why the session was aborted. */
const examine = async ({ run = async () => {}, open, close = async () => [] }: Parts, signal?: AbortSignal) => {
  let aborted: string | null = null
  const waits = createWaits()
  const session: Session<Waits> = {
    context: waits,
    redact: (text) => text.replaceAll('secret', '[redacted]'),
    transcript: () => [{ elapsedMs: 1, direction: 'in', text: 'HTTP/1.1 200\ncontent-type: text/html' }],
    waits: waits.list,
    abort: ({ message }) => {
      aborted = message
    },
    close,
  }
  const check: Check<Waits> = { id: 'a/b', title: 'does', rules: ['GEN-01'], run }
  const system = { capabilities: new Set(), open: open ?? (async () => session) } as unknown as System<Waits>
  const { outcome } = await runCheck(check, system, { limitMs: 30, ...(signal === undefined ? {} : { signal }) })
  return { outcome, aborted }
}

describe('a check', () => {
  it('passes by returning, and distinguishes untestable checks', async () => {
    expect(await examine({})).toEqual({ outcome: { kind: 'passed' }, aborted: null })
    const run = async () => {
      throw new UntestableError('no way')
    }
    expect((await examine({ run })).outcome).toEqual({ kind: 'untestable', reason: 'no way' })
  })

  it('fails after its time limit, reports its pending waits, and is aborted', async () => {
    const run = async (waits: Waits) => {
      await Promise.all([waits.during('the answer to GET /a', never), waits.during('run run_1 is succeeded', never)])
    }
    const why = 'not done within 0.03 s: it waited for the answer to GET /a; run run_1 is succeeded'
    expect(await examine({ run })).toMatchObject({ outcome: { kind: 'failed', message: why }, aborted: why })
  })

  it('has no verdict if it reaches its time limit in the driver', async () => {
    const run = (waits: Waits) => waits.during('driver.moveClock(1)', never, 'driver')
    const reason = 'not done within 0.03 s: it waited for driver.moveClock(1)'
    expect((await examine({ run })).outcome).toEqual({ kind: 'undecided', reason })
  })

  it("has no verdict if the driver fails, and omits secrets from the driver's error", async () => {
    const run = async () => {
      throw new DriverError('driver.createKey failed: secret')
    }
    expect((await examine({ run })).outcome).toEqual({
      kind: 'undecided',
      reason: 'driver.createKey failed: [redacted]',
    })
  })

  it('ends even if its session never opens or never closes', async () => {
    expect((await examine({ open: () => never })).outcome).toMatchObject({ kind: 'undecided' })
    expect((await examine({ close: () => never })).outcome).toMatchObject({ kind: 'failed' })
  })

  it('fails for faults that the session observed, with the first fault as the cause', async () => {
    const close = async () => ['one is broken', 'two is broken']
    expect((await examine({ close })).outcome).toEqual({
      kind: 'failed',
      message: 'one is broken\ntwo is broken',
      cause: 'one is broken',
    })
  })

  it('reports a check as not run if the run ends first', async () => {
    const { outcome, aborted } = await examine({ run: () => never }, AbortSignal.abort())
    expect(outcome.kind).toBe('not-run')
    expect(aborted).not.toBeNull()
  })

  it('reports an answer of unexpected shape without the error text of the program', async () => {
    const run = async () => {
      const body: { readonly messages: readonly string[] } = JSON.parse('{}')
      body.messages.map(String)
    }
    expect((await examine({ run })).outcome).toMatchObject({
      kind: 'failed',
      message:
        'an answer has an unexpected shape: the value that should contain map is missing; the last answer was HTTP/1.1 200',
    })
  })

  it('uses the common description of an unexpected answer as its cause', async () => {
    const run = async () => {
      throw new AnswerError('expected 201 from POST /a/conv_1, got 200 {}', 'POST /a answers 200 instead of 201')
    }
    expect((await examine({ run })).outcome).toMatchObject({ cause: 'POST /a answers 200 instead of 201' })
  })

  it('omits the request at the beginning of a message from the cause', async () => {
    const run = async () => {
      throw new Error('{"input":{"text":"a"}}: expected 409 from POST /runs, got 400 {"status":400}')
    }
    expect((await examine({ run })).outcome).toMatchObject({ cause: 'expected 409 from POST /runs, got 400 …' })
  })
})
