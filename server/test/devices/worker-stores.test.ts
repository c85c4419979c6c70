import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { describe, expect, it } from 'vitest'
import { appendMessage, appendToReply, reportOutcome, requestApproval } from '../../src/gateway/execution.ts'
import { findApprovals } from '../../src/store/approvals.ts'
import { readWrittenOutput } from '../../src/store/batch/written-output.ts'
import type { Statement } from '../../src/store/db.ts'
import { beatDevices } from '../../src/store/maintenance/device-heartbeats.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, newConversation, newService, sendText, takeRun } from '../support/gateway-fixture.ts'

const HEARTBEATS: Statement = {
  name: 'test_heartbeats',
  access: 'read',
  text: 'select device_id as id, heartbeat_at as at from devices',
}
const SET_STATE: Statement = {
  name: 'test_device_state',
  access: 'write',
  text: 'update devices set state = $2 where device_id = $1',
}

eachDatabase('the reads and writes of a worker', (database) => {
  const clock = createTestClock()
  const executing = async () => {
    const { context, service, tenant, conversationId } = await newConversation(database.db, { clock })
    await sendText(context, tenant, conversationId)
    return { context, run: await takeRun(context, service) }
  }

  describe('heartbeats', () => {
    const heartbeats = async () => {
      const rows = await database.db.query<{ id: string; at: Date }>(HEARTBEATS, [])
      return new Map(rows.map(({ id, at }) => [id, at]))
    }
    const beat = (deviceIds: readonly string[] | null, staleMs = 0) =>
      beatDevices(database.db, { deviceIds, now: clock.now(), staleBefore: new Date(clock.now().getTime() - staleMs) })

    it('renew all devices that are not disabled, or only those in the list', async () => {
      const start = clock.now()
      const [one, two, disabled] = [
        await newService(database.db, start),
        await newService(database.db, start),
        await newService(database.db, start),
      ]
      await database.db.query(SET_STATE, [disabled.deviceId, 'disabled'])
      await database.db.query(SET_STATE, [two.deviceId, 'paused'])
      clock.pass(1000)
      expect(await beat([one.deviceId, disabled.deviceId, 'dev_unknown'])).toEqual([
        { deviceId: one.deviceId, hasReadyRuns: false },
      ])
      expect((await heartbeats()).get(one.deviceId)).toEqual(clock.now())
      expect((await heartbeats()).get(two.deviceId)).toEqual(start)
      const served = (await beat(null)).map(({ deviceId }) => deviceId)
      expect(served).toEqual(expect.arrayContaining([one.deviceId, two.deviceId]))
      expect(served).not.toContain(disabled.deviceId)
      expect((await heartbeats()).get(disabled.deviceId)).toEqual(start)
    })

    it('do not overwrite recent heartbeats, and never move their time back', async () => {
      const { deviceId } = await newService(database.db, clock.now())
      const first = clock.now()
      clock.pass(999)
      await beat([deviceId], 1000)
      expect((await heartbeats()).get(deviceId)).toEqual(first)
      clock.pass(1)
      await beat([deviceId], 1000)
      expect((await heartbeats()).get(deviceId)).toEqual(clock.now())
      await beatDevices(database.db, { deviceIds: [deviceId], now: first, staleBefore: clock.now() })
      expect((await heartbeats()).get(deviceId)).toEqual(clock.now())
    })

    it('report which devices have runs that can start', async () => {
      const { context, run } = await executing()
      const tenant = { appId: run.appId, subject: run.subject }
      await sendText(context, tenant, run.conversationId)
      expect(await beat([run.deviceId])).toEqual([{ deviceId: run.deviceId, hasReadyRuns: false }])
      await reportOutcome(context, run, { state: 'interrupted' })
      expect(await beat([run.deviceId])).toEqual([{ deviceId: run.deviceId, hasReadyRuns: true }])
    })
  })

  it('approvals are found with their state, only in their application', async () => {
    const { context, run } = await executing()
    const approvalId = (await requestApproval(context, run, 'May I?')) ?? ''
    const { appId } = run
    expect(
      await findApprovals(database.db, [
        { appId, approvalId },
        { appId, approvalId: 'apr_unknown' },
        { appId: 'app_other', approvalId },
      ]),
    ).toEqual([{ appId, approvalId, state: 'pending' }])
    await reportOutcome(context, run, { state: 'interrupted' })
    expect(await findApprovals(database.db, [{ appId, approvalId }])).toEqual([
      { appId, approvalId, state: 'withdrawn' },
    ])
  })

  it('written output is counted per run', async () => {
    const { context, run } = await executing()
    const written = () => readWrittenOutput(database.db, { ...run, afterSeq: run.lastSeq })
    expect(await written()).toEqual({ deltas: 0, activities: 0, messages: 0, approvals: 0, approvalId: null })
    const target = { ...run, messageId: newId('msg') }
    const deltas = ['a', 'b'].map((text, index) => ({ place: index, index, text }))
    await appendToReply(context, target, deltas)
    await appendMessage(context, run, 'whole')
    const approvalId = await requestApproval(context, run, 'May I?')
    await sendText(context, { appId: run.appId, subject: run.subject }, run.conversationId)
    expect(await written()).toEqual({ deltas: 2, activities: 0, messages: 1, approvals: 1, approvalId })
  })
})
