import { expect, test } from 'vitest'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { reportOutcome } from '../../src/gateway/execution.ts'
import { claimRuns } from '../../src/store/claims.ts'
import type { Row, Statement } from '../../src/store/db.ts'
import { readEvents } from '../../src/store/history/events.ts'
import { answerOf } from '../admin/support.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import { appear, sendText } from '../support/gateway-fixture.ts'
import { setUpSlots } from './slot-fixture.ts'

const EVENTS: Statement = {
  name: 'test_events_of_conversation',
  access: 'read',
  text: `select e.seq, e.type, e.payload::text as payload, e.generation, e.message_id = r.message_id as "ofMessage",
    e.run_id = r.run_id as "ofRun", e.created_at = r.created_at as "atOnce", e.xmin::text as transaction
  from events e join runs r on r.app_id = e.app_id and r.run_id = e.run_id
  where e.app_id = $1 and e.conversation_id = $2 order by e.seq`,
}
const RUN: Statement = {
  name: 'test_run_of_conversation',
  access: 'read',
  text: `select r.state, r.delivery_state, r.lease_owner, r.lease_expires_at, r.run_until = r.updated_at + interval '1 hour' as "hasAnHour",
    r.binding_version, r.position, r.admitted_seq, c.queued_runs, c.executing_run_id = r.run_id as "isExecuting", c.last_seq, c.last_cursor
  from runs r join conversations c on c.app_id = r.app_id and c.conversation_id = r.conversation_id
  where r.app_id = $1 and r.conversation_id = $2 order by r.position limit 1`,
}

eachDatabase('an admission to an idle conversation whose device has a free slot', (database) => {
  test('starts the run in the same commit, with the same result as a later claim [RUN-14, RUN-36]', async () => {
    const fixture = await setUpSlots(database.db)
    const { context, plain, tenant, settled, query } = fixture
    const [started, claimed] = [await fixture.newConversation(), await fixture.newConversation()]
    const answers = [
      answerOf(await sendText(context, tenant, started)),
      answerOf(await sendText(plain, tenant, claimed)),
    ]
    const [run] = await fixture.claim()
    if (run === undefined) throw new Error('nothing was claimed')

    for (const answer of answers) expect(answer).toMatchObject({ state: 'queued', event_cursor: 1 })
    const [events, expected] = [await query(EVENTS, started), await query(EVENTS, claimed)]
    expect(new Set(events.map(({ transaction }) => transaction)).size).toBe(1)
    expect(new Set(expected.map(({ transaction }) => transaction)).size).toBe(2)
    const withoutTransaction = (rows: Row[]) => rows.map(({ transaction, ...row }) => row)
    expect(withoutTransaction(events)).toEqual(withoutTransaction(expected))
    expect(events.map(({ type }) => type)).toEqual(['run.updated', 'run.started'])
    expect(await query(RUN, started)).toEqual(await query(RUN, claimed))

    expect(settled).toEqual([
      {
        outcome: 'committed',
        runs: [{ ...run, conversationId: started, runId: answers[0]?.run_id, messageId: answers[0]?.message_id }],
      },
    ])
  })

  test('leaves its run to a later claim, with the event that the log contains, if its process has no slots', async () => {
    const { plain, tenant, newConversation, deviceId, workerId, clock } = await setUpSlots(database.db)
    const id = await newConversation()
    await sendText(plain, tenant, id)
    const claimed = await claimRuns(database.db, { deviceId, workerId, now: clock.now(), limit: 10 })
    const log = { appId: tenant.appId, conversationId: id, runId: null }
    const [, started] = await readEvents(database.db, log, 0, { events: 10, payloadBytes: 10_000 })
    expect(claimed.map(({ event }) => event)).toEqual([started])
  })

  test('starts the first of several runs, and the next one is claimed when the first has ended [RUN-04, RUN-42]', async () => {
    const { context, tenant, settled, states, newConversation, claim, query } = await setUpSlots(database.db)
    const id = await newConversation()
    await Promise.all([sendText(context, tenant, id), sendText(context, tenant, id), sendText(context, tenant, id)])
    expect(await states(id)).toBe('running queued queued')
    const types = ['run.updated', 'run.updated', 'run.updated', 'run.started']
    expect(await query(EVENTS, id)).toMatchObject(types.map((type, n) => ({ seq: n + 1, type })))
    expect(await claim()).toEqual([])
    const [run] = settled.flatMap(({ runs }) => runs)
    if (run === undefined) throw new Error('nothing was started')
    expect(await reportOutcome(context, run, { state: 'succeeded', text: 'done' })).toBe(true)
    expect(await claim()).toHaveLength(1)
    expect(await states(id)).toBe('succeeded running queued')
  })

  test('starts a run in each of several conversations of one batch', async () => {
    const { context, tenant, settled, states, newConversation, unfinished } = await setUpSlots(database.db)
    const ids = [await newConversation(), await newConversation(), await newConversation()]
    await Promise.all(ids.map((id) => sendText(context, tenant, id)))
    for (const id of ids) expect(await states(id)).toBe('running')
    expect(settled.flatMap(({ runs }) => runs).map(({ conversationId }) => conversationId)).toEqual(ids)
    expect(await unfinished()).toBe(3)
  })

  test('sets the deadline of its run, as a claim does [RUN-44]', async () => {
    const { clock, context, tenant, workerId, service, states, newConversation } = await setUpSlots(database.db)
    const id = await newConversation()
    await sendText(context, tenant, id)
    clock.pass(service.maxRunSeconds * 1000)
    await appear(context, { workerId, deviceId: service.deviceId })
    await advanceDueWork(context)
    expect(await states(id)).toBe('cancelling')
  })

  test('starts a run that is reconciled if the process dies before it executes anything [RUN-18]', async () => {
    const { clock, context, tenant, states, newConversation } = await setUpSlots(database.db)
    const id = await newConversation()
    await sendText(context, tenant, id)
    clock.pass(context.settings.leaseMs)
    await advanceDueWork(context)
    expect(await states(id)).toBe('reconciling')
  })
})

eachDatabase('an admission does not start its run', (database) => {
  test('if its conversation has unfinished work', async () => {
    const { context, plain, tenant, settled, states, newConversation } = await setUpSlots(database.db)
    const id = await newConversation()
    await sendText(plain, tenant, id)
    await sendText(context, tenant, id)
    expect(await states(id)).toBe('queued queued')
    expect(settled).toEqual([])
  })

  test('if a run of any application waits for the device [DEV-19]', async () => {
    const { context, plain, tenant, settled, states, newConversation, newOtherApp, claim } = await setUpSlots(
      database.db,
    )
    const otherApp = await newOtherApp()
    await sendText(plain, otherApp.tenant, await otherApp.newConversation())
    const id = await newConversation()
    await sendText(context, tenant, id)
    expect(await states(id)).toBe('queued')
    expect(settled).toEqual([])
    expect((await claim()).map(({ appId }) => appId)).toEqual([otherApp.tenant.appId, tenant.appId])
  })

  test('if its application already uses three quarters of the slots of a shared device, over all processes [DEV-20]', async () => {
    const fixture = await setUpSlots(database.db, { slots: 2, free: 8 })
    const { context, tenant, service, settled, states, newConversation, newOtherApp } = fixture
    await newOtherApp()
    await appear(context, { workerId: 'another', deviceId: service.deviceId, runSlots: 2 })
    const ids = [await newConversation(), await newConversation(), await newConversation(), await newConversation()]
    for (const id of ids) await sendText(context, tenant, id)
    expect(await Promise.all(ids.map(states))).toEqual(['running', 'running', 'running', 'queued'])
    expect(settled).toHaveLength(3)
  })

  test('if all slots of the device are used', async () => {
    const { context, tenant, states, newConversation } = await setUpSlots(database.db, { slots: 2, free: 8 })
    const ids = [await newConversation(), await newConversation(), await newConversation()]
    for (const id of ids) await sendText(context, tenant, id)
    expect(await Promise.all(ids.map(states))).toEqual(['running', 'running', 'queued'])
  })

  test('if the device has one slot, which applications use in turn [DEV-20]', async () => {
    const { context, tenant, settled, states, newConversation } = await setUpSlots(database.db, { slots: 1 })
    const id = await newConversation()
    await sendText(context, tenant, id)
    expect(await states(id)).toBe('queued')
    expect(settled).toEqual([])
  })

  test('if its batch admits more runs than the process has free slots: then none of these runs starts [DEV-19]', async () => {
    const { context, tenant, states, newConversation, settled } = await setUpSlots(database.db, { slots: 8, free: 2 })
    const ids = [await newConversation(), await newConversation(), await newConversation()]
    await Promise.all(ids.map((id) => sendText(context, tenant, id)))
    expect(await Promise.all(ids.map(states))).toEqual(['queued', 'queued', 'queued'])
    expect(settled).toEqual([])
  })

  test('if the lease of the process has expired', async () => {
    const { clock, context, tenant, states, newConversation } = await setUpSlots(database.db)
    const id = await newConversation()
    clock.pass(context.settings.leaseMs)
    await sendText(context, tenant, id)
    expect(await states(id)).toBe('queued')
  })
})

onPostgres('admissions to one conversation through two processes at once', (database) => {
  test('start exactly one run [RUN-42]', async () => {
    const one = await setUpSlots(database.db)
    const another = await one.inProcess('another', database.openAnother())
    const id = await one.newConversation()
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sendText(n % 2 === 0 ? one.context : another.context, one.tenant, id)),
    )
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['admitted']))
    expect(await one.states(id)).toBe(['running', ...Array.from({ length: 19 }, () => 'queued')].join(' '))
    expect([...one.settled, ...another.settled].flatMap(({ runs }) => runs)).toHaveLength(1)
    expect((await one.query(EVENTS, id)).map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
  })
})
