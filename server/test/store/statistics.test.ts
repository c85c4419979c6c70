import { expect, test } from 'vitest'
import { beatProcess } from '../../src/store/maintenance/processes.ts'
import { readStatistics } from '../../src/store/maintenance/statistics.ts'
import { openStream } from '../../src/store/streams.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, newConversation, newService, sendText, takeRun } from '../support/gateway-fixture.ts'

eachDatabase('statistics', (database) => {
  test('count nothing in an empty gateway', async () => {
    expect(await readStatistics(database.db, new Date())).toEqual({
      runsByState: {},
      oldestQueuedAt: null,
      openStreams: 0,
      openStreamsByApp: {},
      workers: 0,
      deliveriesByState: {},
      admissionPaused: false,
    })
  })

  test('count unfinished runs by state, report when the oldest was queued, and omit lost streams', async () => {
    const { clock, context, service, tenant, conversationId } = await newConversation(database.db)
    for (let sent = 0; sent < 3; sent += 1) {
      await sendText(context, tenant, conversationId)
      clock.pass(1000)
    }
    await takeRun(context, service)
    for (const [streamId, leaseMs] of [
      ['open', 60_000],
      ['lost', 0],
    ] as const) {
      const processId = `process of ${streamId}`
      const stream = { appId: service.appId, streamId, subject: 'subject', deviceId: service.deviceId, processId }
      const expiresAt = new Date(clock.now().getTime() + leaseMs)
      await beatProcess(database.db, { processId, expiresAt, runSlots: 0, deviceIds: null })
      await database.db.transaction((tx) =>
        openStream(tx, stream, clock.now(), { perDevice: 9, perApp: 9, perSubject: 9 }),
      )
    }
    expect(await readStatistics(database.db, clock.now())).toEqual({
      runsByState: { queued: 2, running: 1 },
      oldestQueuedAt: new Date('2026-01-01T00:00:01.000Z'),
      openStreams: 1,
      openStreamsByApp: { [service.appId]: 1 },
      workers: 0,
      deliveriesByState: {},
      admissionPaused: false,
    })
  })

  test('list the twenty applications with the most open streams', async () => {
    const clock = createTestClock()
    const processId = 'process of many'
    const expiresAt = new Date(clock.now().getTime() + 60_000)
    await beatProcess(database.db, { processId, expiresAt, runSlots: 0, deviceIds: null })
    const { deviceId } = await newService(database.db, clock.now())
    const limits = { perDevice: 99, perApp: 99, perSubject: 99 }
    const open = async (appId: string, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const stream = { appId, streamId: `${appId} ${index}`, subject: 'subject', deviceId, processId }
        await database.db.transaction((tx) => openStream(tx, stream, clock.now(), limits))
      }
    }
    const { appId: quiet } = await newService(database.db, clock.now())
    await open(quiet, 1)
    for (let index = 0; index < 20; index += 1) await open((await newService(database.db, clock.now())).appId, 2)
    const { openStreams, openStreamsByApp } = await readStatistics(database.db, clock.now())
    expect(Object.values(openStreamsByApp)).toEqual(Array(20).fill(2))
    expect(openStreamsByApp).not.toHaveProperty(quiet)
    expect(openStreams).toBeGreaterThanOrEqual(41)
  })
})
