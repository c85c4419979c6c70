import { describe, expect, it } from 'vitest'
import { quiet, startTestWorker, until } from '../../test/support/test-worker.ts'
import type { Assistant } from '../assistants/assistant.ts'

const HEARTBEAT_MS = 2000

const endless: Assistant = async function* ({ signal }) {
  yield { delta: 'working' }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  return undefined
}

describe('a stop', () => {
  it('ends the assistant and is reported as cancelled', async () => {
    const { run: execute, cancel } = await startTestWorker()
    const run = execute(endless)
    await until(() => run.batches.length === 1)
    cancel(run)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('without a hint is found at the next heartbeat', async () => {
    const { play, timers } = await startTestWorker()
    const run = play({ delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    run.state = 'cancelling'
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('does not replace an outcome that the assistant returns before its next step', async () => {
    const { run: execute, cancel } = await startTestWorker()
    const run = execute(async function* ({ signal }) {
      yield { delta: 'done' }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { state: 'succeeded', text: 'finished all the same' }
    })
    await until(() => run.batches.length === 1)
    cancel(run)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded', text: 'finished all the same' })
  })

  it('lets the assistant clean up, after which the worker takes no further step', async () => {
    const cleaned: string[] = []
    const { run: execute, cancel } = await startTestWorker()
    const run = execute(async function* ({ signal }) {
      try {
        yield { delta: 'a' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield { delta: 'b' }
        cleaned.push('went on')
      } finally {
        cleaned.push('cleaned up')
      }
      return undefined
    })
    await until(() => run.batches.length === 1)
    cancel(run)
    await until(() => run.outcome !== null)
    expect([run.batches, run.outcome, cleaned]).toEqual([[['a']], { state: 'cancelled' }, ['cleaned up']])
  })

  it('is confirmed after the delay in the script [SCRIPT-10]', async () => {
    const { play, timers, cancel } = await startTestWorker()
    const run = play({ stop_delay_ms: 700 }, { delta: 'a' }, { hang: true })
    await until(() => run.batches.length === 1)
    cancel(run)
    await quiet()
    timers.advance(699)
    await quiet()
    expect(run.outcome).toBeNull()
    timers.advance(1)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('does not end a script that ignores it [SCRIPT-11]', async () => {
    const { play, timers, cancel } = await startTestWorker()
    const run = play({ ignore_stop: true }, { delta: 'a' }, { sleep_ms: 500 }, { succeed: { text: 'done' } })
    await until(() => run.batches.length === 1)
    cancel(run)
    await quiet()
    expect(run.outcome).toBeNull()
    timers.advance(500)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'succeeded', text: 'done' })
  })
})

describe('a run that the worker has lost', () => {
  it('is stopped, and nothing more is written or reported', async () => {
    const { gateway, run: execute, timers, worker } = await startTestWorker()
    let stopped = false
    const run = execute(async function* ({ signal }) {
      yield { delta: 'a' }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      stopped = true
      yield { delta: 'b' }
      return { state: 'succeeded' }
    })
    await until(() => run.batches.length === 1)
    run.state = 'interrupted'
    timers.advance(HEARTBEAT_MS)
    await until(() => stopped)
    await quiet()
    timers.advance(HEARTBEAT_MS)
    expect(run.batches).toEqual([['a']])
    expect(gateway.calls.get('reportOutcome')).toBeUndefined()
    expect(worker.held().length).toBe(0)
  })

  it.each([{ delta: 'b' }, { message: 'b' }])(
    'is also dropped when the worker writes its next step: %j',
    async (step) => {
      const { gateway, play, timers, worker } = await startTestWorker()
      const run = play({ delta: 'a' }, { sleep_ms: 100 }, step, { hang: true })
      await until(() => run.batches.length === 1)
      run.state = 'interrupted'
      timers.advance(100)
      await quiet()
      timers.advance(100)
      await until(() => worker.held().length === 0)
      expect(gateway.calls.get('reportOutcome')).toBeUndefined()
    },
  )

  it('frees its slot even if the assistant never ends', async () => {
    const { run: execute, play, timers } = await startTestWorker({ runConcurrency: 1 })
    const lost = execute(async function* () {
      yield { delta: 'a' }
      await new Promise(() => {})
      return undefined
    })
    await until(() => lost.batches.length === 1)
    lost.state = 'interrupted'
    timers.advance(HEARTBEAT_MS)
    const next = play({ delta: 'next' })
    await until(() => next.outcome !== null)
  })
})

it('a script that crashes is dropped after its output is written, and no outcome is reported [SCRIPT-12]', async () => {
  const { gateway, play, timers, worker } = await startTestWorker()
  const run = play({ delta: 'a' }, { crash: true }, { delta: 'b' })
  await until(() => run.batches.length === 1 && worker.held().length === 0)
  timers.advance(HEARTBEAT_MS)
  await quiet()
  expect([run.state, run.batches]).toEqual(['running', [['a']]])
  expect(gateway.calls.get('reportOutcome')).toBeUndefined()
  expect(gateway.released).toEqual(new Set([run.claimed.runId]))
})

it('a dropped run is released with retries, and never reported as interrupted [SCRIPT-12]', async () => {
  const { gateway, play, timers, worker } = await startTestWorker()
  gateway.failWith('releaseRuns', () =>
    gateway.released.size === 0 && timers.now < 3 * HEARTBEAT_MS ? new Error('no') : null,
  )
  const run = play({ delta: 'a' }, { crash: true })
  await until(() => run.batches.length === 1 && worker.held().length === 0)
  for (let beats = 0; beats < 5; beats += 1) {
    timers.advance(HEARTBEAT_MS)
    await quiet()
  }
  expect(gateway.released).toEqual(new Set([run.claimed.runId]))
  expect([run.state, gateway.calls.get('reportOutcome')]).toEqual(['running', undefined])
})

it('the heartbeat continues during a slow poll of the runs', async () => {
  const { gateway, timers } = await startTestWorker()
  const beats = () => gateway.calls.get('beat') ?? 0
  const before = beats()
  Object.assign(gateway, { lookAtRuns: () => new Promise(() => {}) })
  for (let count = 1; count <= 3; count += 1) {
    timers.advance(HEARTBEAT_MS)
    await until(() => beats() === before + count)
  }
})

describe('an assistant', () => {
  it('that throws fails the run, with the reason in the log only', async () => {
    const { run: execute, logged } = await startTestWorker()
    const run = execute(async function* () {
      yield { delta: 'a' }
      throw new Error('password of the database is hunter2')
    })
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({
      state: 'failed',
      error: { code: 'ASSISTANT_ERROR', message: 'The assistant failed.', retryable: false },
    })
    expect(run.batches).toEqual([['a']])
    expect(logged).toContain('an assistant failed: password of the database is hunter2')
  })

  it('that throws shows the reason and its causes to the client if configured', async () => {
    const { run: execute } = await startTestWorker({ showAssistantErrors: true })
    const failWith = async (thrown: unknown) => {
      // biome-ignore lint/correctness/useYield: it fails at once.
      const run = execute(async function* () {
        throw thrown
      })
      await until(() => run.outcome !== null)
      return run.outcome
    }
    const failed = (message: string) => ({
      state: 'failed',
      error: { code: 'ASSISTANT_ERROR', message: `The assistant failed: ${message}`, retryable: false },
    })
    expect(await failWith(new Error('No order.', { cause: new Error('It is gone.') }))).toEqual(
      failed('No order.: It is gone.'),
    )
    expect(await failWith('no error')).toEqual(failed('no error'))
    expect(await failWith(Object.create(null))).toEqual(failed('what it threw cannot be shown.'))
  })

  it('with too much output fails the run as OUTPUT_TOO_LARGE and keeps the pieces within the limit', async () => {
    const { run: execute } = await startTestWorker({ outputBytes: 10 })
    const run = execute(async function* () {
      for (;;) yield { delta: '1234' }
    })
    await until(() => run.outcome !== null)
    expect(run.outcome).toMatchObject({ state: 'failed', error: { code: 'OUTPUT_TOO_LARGE' } })
    expect(run.batches.flat()).toEqual(['1234', '1234'])
  })
})

it('an assistant that never awaits does not block the event loop', async () => {
  const { run: execute, worker } = await startTestWorker({ shutdownGraceMs: 1 })
  let steps = 0
  execute(async function* () {
    for (;;) {
      steps += 1
      yield { delta: '' }
    }
  })
  await until(() => steps > 1000)
  expect(worker.held().length).toBe(1)
})

it('the end of a run reports the number of bytes of its output', async () => {
  const { run: execute } = await startTestWorker()
  const run = execute(async function* () {
    yield { delta: 'für ' }
    yield { message: 'alle' }
    return { state: 'succeeded', text: 'ja' }
  })
  await until(() => run.outcome !== null)
  expect(run.outputBytes).toBe(Buffer.byteLength('für alleja'))
})

it('unstorable characters are replaced, and split surrogate pairs are joined', async () => {
  const { play } = await startTestWorker()
  const run = play({ delta: 'a\0' }, { delta: '\ud83d' }, { delta: '\ude00' }, { delta: '\udc00 \ud800' })
  await until(() => run.outcome !== null)
  expect(run.batches.flat().join('')).toBe('a\ufffd\u{1f600}\ufffd \ufffd')
})

const waiting = async () => {
  const fixture = await startTestWorker()
  const run = fixture.play({ delta: 'a' }, { approval: 'Pay 5 €?' }, { delta: 'b' })
  await until(() => run.approvals.length === 1)
  await quiet()
  const decide = (state: 'approved' | 'denied') => {
    for (const approval of run.approvals) approval.state = state
    if (state === 'approved') run.state = 'running'
  }
  return { ...fixture, run, decide }
}

describe('a run that needs an approval', () => {
  it('waits, and its earlier output is written', async () => {
    const { run, timers } = await waiting()
    timers.advance(HEARTBEAT_MS)
    await quiet()
    expect(run.approvals).toEqual([{ approvalId: 'apr_1', summary: 'Pay 5 €?', state: 'pending' }])
    expect([run.state, run.batches]).toEqual(['waiting_approval', [['a']]])
  })

  it('continues when it is approved', async () => {
    const { run, decide, wakeups } = await waiting()
    decide('approved')
    wakeups.hintRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect([run.outcome, run.batches]).toEqual([{ state: 'succeeded' }, [['a'], ['b']]])
  })

  it('learns of the decision at the next heartbeat without a hint', async () => {
    const { run, decide, timers } = await waiting()
    decide('approved')
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
  })

  it('fails with APPROVAL_DENIED when it was denied', async () => {
    const { run, decide, wakeups } = await waiting()
    decide('denied')
    wakeups.hintRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect(run.outcome).toMatchObject({ state: 'failed', error: { code: 'APPROVAL_DENIED' } })
    expect(run.batches).toEqual([['a']])
  })

  it('can be stopped', async () => {
    const { run, cancel } = await waiting()
    cancel(run)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('requests the approval again if the gateway did not accept the request', async () => {
    const { gateway, play, timers } = await startTestWorker()
    const run = play({ delta: 'a' }, { sleep_ms: 10 }, { approval: 'May I?' })
    await until(() => run.batches.length === 1)
    run.state = 'cancelling'
    timers.advance(10)
    await until(() => gateway.calls.get('requestApproval') === 1)
    run.state = 'running'
    await quiet()
    timers.advance(1000)
    await until(() => run.approvals.length === 1)
  })
})
