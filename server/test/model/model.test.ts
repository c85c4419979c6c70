import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWriter } from '../../src/writer/writer.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import {
  appear,
  beat,
  createTestClock,
  newConversationId,
  newService,
  publish,
  testContext,
} from '../support/gateway-fixture.ts'
import type { Real } from './commands.ts'
import { histories } from './commands.ts'
import { MAX_RUN_MS, newModel, QUEUE_LIMIT } from './model.ts'

const HISTORIES = Number(process.env.MODEL_HISTORIES ?? 50)

eachDatabase('any history of sends, cancels, resets, publications, missing heartbeats and deadlines', (database) => {
  test('agrees with the model after every step', { timeout: 240_000 }, async () => {
    const { db } = database
    await fc.assert(
      fc.asyncProperty(histories, async (commands) => {
        const clock = createTestClock()
        const service = await newService(db, clock.now(), MAX_RUN_MS / 1000)
        const workerId = `worker of ${service.deviceId}`
        let hasSlots = false
        const freeSlots = {
          workerIds: () => (hasSlots ? [workerId] : []),
          reserve: () => ({ workerId, settle: () => {} }),
        }
        const context = {
          ...testContext(db, clock, { queuedPerConversation: QUEUE_LIMIT }),
          writer: createWriter(db, freeSlots),
        }
        const tenant = { appId: service.appId, subject: 'subject' }
        const real: Real = {
          context,
          tenant,
          conversationId: await newConversationId(context, tenant, service.endpointId),
          deviceId: service.deviceId,
          workerId,
          approvals: [],
          passTime: clock.pass,
          heartbeat: async () => {
            await appear(context, real)
            await beat(db, service.deviceId, clock.now())
          },
          giveSlots: (has) => {
            hasSlots = has
          },
          publish: (breaking) => publish(db, service, breaking, clock.now()),
        }
        await fc.asyncModelRun(() => ({ model: newModel(clock.now().getTime()), real }), commands)
      }),
      { numRuns: HISTORIES },
    )
    expect.hasAssertions()
  })
})
