import { describe, expect, it } from 'vitest'
import { createTestWorker, quiet, until } from '../../test/support/test-worker.ts'

const HEARTBEAT_MS = 2000

const waiting = async () => {
  const fixture = createTestWorker()
  await fixture.worker.start()
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
  it('waits, with what it had put out before', async () => {
    const { run, timers } = await waiting()
    timers.advance(HEARTBEAT_MS)
    await quiet()
    expect(run.approvals).toEqual([{ approvalId: 'apr_1', summary: 'Pay 5 €?', state: 'pending' }])
    expect([run.state, run.batches]).toEqual(['waiting_approval', [['a']]])
  })

  it('goes on when it was approved', async () => {
    const { run, decide, wakeups } = await waiting()
    decide('approved')
    wakeups.tellRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect([run.outcome, run.batches]).toEqual([{ state: 'succeeded' }, [['a'], ['b']]])
  })

  it('learns of the decision with the next heartbeat when nobody told it', async () => {
    const { run, decide, timers } = await waiting()
    decide('approved')
    timers.advance(HEARTBEAT_MS)
    await until(() => run.outcome !== null)
  })

  it('fails with APPROVAL_DENIED when it was denied', async () => {
    const { run, decide, wakeups } = await waiting()
    decide('denied')
    wakeups.tellRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect(run.outcome).toMatchObject({ state: 'failed', error: { code: 'APPROVAL_DENIED' } })
    expect(run.batches).toEqual([['a']])
  })

  it('can be stopped', async () => {
    const { run, wakeups } = await waiting()
    run.state = 'cancelling'
    wakeups.tellRun(run.claimed.runId)
    await until(() => run.outcome !== null)
    expect(run.outcome).toEqual({ state: 'cancelled' })
  })

  it('asks again while it cannot be asked for', async () => {
    const { gateway, play, timers, worker } = createTestWorker()
    await worker.start()
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
