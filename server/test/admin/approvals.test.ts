import { expect, test } from 'vitest'
import { decideApproval, listApprovals } from '../../src/gateway/admin/approvals.ts'
import { reportOutcome, requestApproval } from '../../src/gateway/execution.ts'
import { readRun } from '../../src/gateway/read-records.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../support/databases/databases.ts'
import { createTestClock, SILENT, testContext } from '../support/gateway-fixture.ts'
import { answerOf, codeOf, startRun } from './support.ts'

const ALL = { appId: null, state: null }

/** A run that waits for an approval, and the recorded wake-ups. */
const setUp = async (database: TestDatabase, start?: string) => {
  const clock = createTestClock(start)
  const wakeUps: string[] = []
  const wakeups = {
    ...SILENT,
    conversationChanged: () => wakeUps.push('conversation'),
    runChanged: (runId: string) => wakeUps.push(runId),
  }
  const context = { ...testContext(database.db, clock), wakeups }
  const { tenant, run } = await startRun(context)
  const approvalId = await requestApproval(context, run, 'Refund 40 EUR')
  if (approvalId === null) throw new Error('the run executes')
  clock.pass(1000)
  wakeUps.length = 0
  return { clock, context, tenant, run, approvalId, wakeUps }
}

eachDatabase('approvals', (database) => {
  const stateOf = async ({ context, tenant, run }: Awaited<ReturnType<typeof setUp>>) =>
    answerOf(await readRun(context, tenant, run.runId)).state

  test('an approved run continues, has a new event, and wakes up its streams and its worker [ADMIN-10]', async () => {
    const fixture = await setUp(database)
    const { context, run, approvalId, wakeUps } = fixture
    expect(answerOf(await decideApproval(context, approvalId, { decision: 'approve' }))).toEqual({
      approval_id: approvalId,
      app_id: run.appId,
      conversation_id: run.conversationId,
      run_id: run.runId,
      summary: 'Refund 40 EUR',
      state: 'approved',
      created_at: '2026-01-01T00:00:00.000Z',
      decided_at: '2026-01-01T00:00:01.000Z',
    })
    expect(await stateOf(fixture)).toBe('running')
    const log = { appId: run.appId, conversationId: run.conversationId, runId: null }
    const events = await readEvents(context.db, log, 0, { events: 100, payloadBytes: 1e6 })
    expect(events.at(-1)).toMatchObject({
      type: 'run.updated',
      payload: '{"state":"running","delivery_state":"device_received"}',
    })
    expect(wakeUps).toEqual(expect.arrayContaining(['conversation', run.runId]))
  })

  test('a denied run continues too, and its assistant can request another approval and succeed', async () => {
    const fixture = await setUp(database)
    const { context, run, approvalId, wakeUps } = fixture
    expect(answerOf(await decideApproval(context, approvalId, { decision: 'deny' })).state).toBe('denied')
    expect(await stateOf(fixture)).toBe('running')
    expect(wakeUps).toEqual(expect.arrayContaining(['conversation', run.runId]))
    const second = await requestApproval(context, run, 'Refund 20 EUR')
    await decideApproval(context, second ?? '', { decision: 'deny' })
    await reportOutcome(context, run, { state: 'succeeded', text: 'Nothing was refunded.' })
    expect(await stateOf(fixture)).toBe('succeeded')
  })

  test('repeating a decision changes nothing, and the opposite decision is refused with ALREADY_DECIDED', async () => {
    const { context, clock, approvalId, wakeUps } = await setUp(database)
    const first = answerOf(await decideApproval(context, approvalId, { decision: 'approve' }))
    clock.pass(1000)
    wakeUps.length = 0
    expect(answerOf(await decideApproval(context, approvalId, { decision: 'approve' }))).toEqual(first)
    expect(codeOf(await decideApproval(context, approvalId, { decision: 'deny' }))).toBe('ALREADY_DECIDED')
    expect(wakeUps).toEqual([])
  })

  test('an approval whose run has ended is withdrawn and cannot be decided', async () => {
    const { context, run, approvalId } = await setUp(database)
    const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
    await reportOutcome(context, run, { state: 'failed', error })
    expect(codeOf(await decideApproval(context, approvalId, { decision: 'approve' }))).toBe('ALREADY_DECIDED')
    const { approvals } = answerOf(await listApprovals(context, { appId: run.appId, state: 'withdrawn' }, { limit: 9 }))
    expect(approvals.map(({ approval_id }) => approval_id)).toEqual([approvalId])
  })

  test('the decision on a run with a lost worker is stored, and the run stays reconciling', async () => {
    const fixture = await setUp(database)
    const { context, clock, approvalId } = fixture
    clock.pass(context.settings.leaseMs)
    expect(answerOf(await decideApproval(context, approvalId, { decision: 'approve' })).state).toBe('approved')
    expect(await stateOf(fixture)).toBe('reconciling')
  })

  test('an unknown approval is NOT_FOUND', async () => {
    const { context } = await setUp(database)
    expect(codeOf(await decideApproval(context, 'apr_nothing', { decision: 'deny' }))).toBe('NOT_FOUND')
    expect(codeOf(await listApprovals(context, ALL, { limit: 1, before: 'apr_nothing' }))).toBe('NOT_FOUND')
  })

  test('lists are filtered by application and state and paged from the newest on [ADMIN-10]', async () => {
    const { context, run, approvalId } = await setUp(database, '2026-02-01T00:00:00.000Z')
    const other = await setUp(database, '2026-02-02T00:00:00.000Z')
    const idsOf = async (filter: Parameters<typeof listApprovals>[1], page: { limit: number; before?: string }) =>
      answerOf(await listApprovals(context, filter, page)).approvals.map(({ approval_id }) => approval_id)
    expect(await idsOf(ALL, { limit: 2 })).toEqual([other.approvalId, approvalId])
    expect(await idsOf({ appId: run.appId, state: 'pending' }, { limit: 2 })).toEqual([approvalId])
    expect(await idsOf({ appId: run.appId, state: 'denied' }, { limit: 2 })).toEqual([])
    expect(await idsOf({ appId: run.appId, state: null }, { limit: 2, before: approvalId })).toEqual([])
  })
})

onPostgres('an approval that is decided while its run ends', (database) => {
  test('is either decided or withdrawn, and both requests are answered', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { context, run, approvalId } = await setUp(database)
      const other = { ...context, db: round === 0 ? database.openAnother() : context.db }
      const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
      const [decision, ended] = await Promise.all([
        decideApproval(other, approvalId, { decision: 'approve' }),
        reportOutcome(context, run, { state: 'failed', error }),
      ])
      expect(ended).toBe(true)
      const { approvals } = answerOf(await listApprovals(context, { appId: run.appId, state: null }, { limit: 1 }))
      expect(approvals[0]?.state).toBe(decision.kind === 'refused' ? 'withdrawn' : 'approved')
    }
  })
})
