/**
 * A subscriber in another process: follows one conversation through a separate hub and reports to its parent when each
 * event arrived, by the machine's monotonic clock.
 */

import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import { createEventReader } from '../../src/gateway/stream/event-reader.ts'
import { createHub } from '../../src/gateway/stream/hub.ts'
import { createWakeupBus } from '../../src/gateway/wakeups/wakeup-bus.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { createPgDb } from '../../src/store/drivers/pg.ts'
import { timingSink } from './timing-sink.ts'

export interface SubscriberPlan {
  readonly url: string
  readonly appId: string
  readonly conversationId: string
  readonly wakeMs: number
}

const plan: SubscriberPlan = JSON.parse(process.argv[2] ?? '{}')
const throwIt = (error: unknown): void => {
  throw error
}
const db = createPgDb({ url: plan.url, poolSize: 4 })
const wakeups = await createWakeupBus({
  db,
  timers: systemTimers,
  processId: newId('req'),
  wakeMs: plan.wakeMs,
  onError: throwIt,
})
const hub = createHub({
  reader: createEventReader(db),
  frames: sseFrames,
  clock: systemClock,
  timers: systemTimers,
  wakeups,
  pingMs: 15_000,
  graceMs: 1000,
  retryMs: 500,
  onError: throwIt,
  onLag: () => {},
})
hub.subscribe({
  log: { appId: plan.appId, conversationId: plan.conversationId, runId: null },
  position: 0,
  lastSeq: 0,
  sink: timingSink((atNs) => process.send?.(String(atNs))),
})
console.log('{}')
process.on('SIGTERM', () => process.exit(0))
