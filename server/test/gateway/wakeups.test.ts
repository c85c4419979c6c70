import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createWakeupBus } from '../../src/gateway/wakeups/wakeup-bus.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { onPostgres } from '../support/databases/databases.ts'
import { untilHolds } from '../support/until-holds.ts'

onPostgres('wake-ups', (database) => {
  it('reach each process exactly once and in order, those of the process itself included', async () => {
    const errors: unknown[] = []
    const start = (db: typeof database.db) =>
      createWakeupBus({
        db,
        timers: systemTimers,
        processId: randomUUID(),
        wakeMs: 5,
        onError: (error) => errors.push(error),
      })
    const [one, two] = [await start(database.db), await start(database.openAnother())]
    const heardBy = (bus: typeof one) => {
      const heard: string[] = []
      bus.onConversation(
        ({ conversationId }) => heard.push(conversationId),
        () => heard.push('lost'),
      )
      return heard
    }
    const [heardHere, heardThere] = [heardBy(one), heardBy(two)]
    const conversationIds = Array.from({ length: 1000 }, (_, index) => `conv_${randomUUID()}_${index}`)
    for (const conversationId of conversationIds) one.conversationChanged({ appId: 'app_1', conversationId })
    await untilHolds(() => expect(heardThere).toEqual(conversationIds))
    two.conversationChanged({ appId: 'app_1', conversationId: 'conv_last' })
    await untilHolds(() => expect(heardHere).toEqual([...conversationIds, 'conv_last']))
    await Promise.all([one.close(), two.close()])
    expect(errors).toEqual([])
  })
})
