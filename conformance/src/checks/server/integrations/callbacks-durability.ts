import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { answeredWith, arrivals, deliveryIn, finish, observed } from '../../../kit/steps/callbacks.ts'

/** Moves of the clock that wait for an attempt. Together they are far shorter than the 24-hour window. */
const PAUSES = 10
const PAUSE_MS = 30_000

export const checks: readonly ServerCheck[] = [
  {
    id: 'callbacks/event-and-delivery-together',
    title: 'a recorded event is delivered even if the gateway is killed right after it',
    rules: ['CB-54'],
    tags: ['durability', 'slow'],
    alone: 'all',
    needs: ['callbacks', 'driver.restartServer', 'driver.moveClock'],
    run: async (t) => {
      const conversations = await Promise.all(Array.from({ length: 4 }, () => observed(t)))
      await Promise.all(conversations.map((conversation) => finish(t, conversation)))
      await t.driver.restartServer()
      // A delivery of the killed process becomes pending within a minute, and is attempted again after a delay.
      await t.driver.moveClock(60_000)
      const isMissing = ({ conversation_id: id }: { conversation_id: string }): boolean =>
        t.callbacks.requests(id).length === 0
      for (let step = 0; step < PAUSES && conversations.some(isMissing); step += 1) {
        await t.driver.moveClock(PAUSE_MS)
        await t.quiet()
      }
      for (const conversation of conversations) {
        const [request] = await arrivals(t, conversation, 1)
        assert.equal(request?.event.type, 'run.completed')
      }
    },
  },
  {
    id: 'callbacks/died-while-sending',
    title: 'a delivery whose process died while sending becomes pending again after 60 seconds, and is attempted again',
    rules: ['CB-47'],
    tags: ['durability', 'slow'],
    alone: 'all',
    needs: ['callbacks', 'driver.listDeliveries', 'driver.restartServer', 'driver.moveClock'],
    run: async (t) => {
      const conversation = await answeredWith(t, (attempt) => (attempt === 1 ? 'silence' : { status: 200 }))
      await arrivals(t, conversation, 1)
      await deliveryIn(t, conversation, ['sending'])
      await t.driver.restartServer()
      await t.driver.moveClock(60_000)
      for (let step = 0; step < PAUSES && t.callbacks.requests(conversation.conversation_id).length < 2; step += 1) {
        await t.driver.moveClock(PAUSE_MS)
        await t.quiet()
      }
      await deliveryIn(t, conversation, ['delivered'])
      assert.equal(t.callbacks.requests(conversation.conversation_id).length, 2)
    },
  },
]
