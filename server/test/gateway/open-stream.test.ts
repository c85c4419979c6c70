import { randomUUID } from 'node:crypto'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { beforeEach, describe, expect, it } from 'vitest'
import type { GatewayContext } from '../../src/gateway/context.ts'
import { createEventReader } from '../../src/gateway/stream/event-reader.ts'
import { createHub, type Hub } from '../../src/gateway/stream/hub.ts'
import {
  openEventStream,
  type StreamContext,
  type StreamPosition,
  type StreamTarget,
} from '../../src/gateway/stream/open-stream.ts'
import { createStreamSlots } from '../../src/gateway/stream/stream-slots.ts'
import { createWakeupBus, type WakeupBus } from '../../src/gateway/wakeups/wakeup-bus.ts'
import { sseFrames } from '../../src/http/answers/sse-frame.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { createTestClock, newConversationId, newService, sendText, testContext } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { createMemorySink, type MemorySink } from '../support/memory-sink.ts'
import { untilHolds } from '../support/until-holds.ts'

eachDatabase('opening an event stream', (database) => {
  const clock = createTestClock()
  let context: GatewayContext
  let streams: StreamContext
  let hub: Hub
  let bus: WakeupBus
  let tenant: Tenant
  let conversationId: string

  beforeEach(async () => {
    const { db } = database
    const timers = createManualTimers()
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    bus = await createWakeupBus({ db, timers, processId: randomUUID(), wakeMs: 5, onError })
    const reader = createEventReader(db)
    const times = { pingMs: 15_000, retryMs: 1000, graceMs: 1000 }
    hub = createHub({ reader, frames: sseFrames, clock, timers, wakeups: bus, ...times, onError, onLag: () => {} })
    const limits = { perDevice: 32, perApp: 16, perSubject: 4 }
    const slots = createStreamSlots({ db, clock, timers, processId: randomUUID(), limits, onError })
    context = { ...testContext(db, clock), wakeups: bus }
    streams = { db, hub, slots }
    const service = await newService(db, clock.now())
    tenant = { appId: service.appId, subject: 'alice' }
    conversationId = await newConversationId(context, tenant, service.endpointId)
    return async () => {
      await hub.close()
      await slots.close()
      await bus.close()
      expect(errors).toEqual([])
    }
  })

  const open = async (
    position: StreamPosition = {},
    target: StreamTarget = { conversationId },
    sink: MemorySink = createMemorySink(),
  ) => ({ sink, outcome: await openEventStream(streams, tenant, target, position, () => sink) })

  const codeOf = async (...request: Parameters<typeof open>): Promise<string> => {
    const { outcome, sink } = await open(...request)
    if (outcome.kind === 'opened') sink.hangUp()
    return outcome.kind === 'refused' ? outcome.code : 'opened'
  }

  describe('an open stream', () => {
    it('sends all events, even if they need several pages', async () => {
      await sendText(context, tenant, conversationId)
      await database.db.query(
        {
          name: 'test_many_events_of_a_run',
          access: 'write',
          text: `with grown as (
              update conversations set last_seq = 1001 where app_id = $1 and conversation_id = $2
            ) insert into events (app_id, conversation_id, seq, event_id, generation, type, payload, created_at)
            select $1, $2, seq, 'evt_' || seq, 1, 'run.updated',
              json_build_object('text', repeat('ü', case when seq % 100 = 0 then 300000 else 10 end)), now()
            from generate_series(2, 1001) seq`,
        },
        [tenant.appId, conversationId],
      )
      const { sink } = await open()
      await untilHolds(() => expect(sink.seqs).toHaveLength(1001))
      expect(sink.seqs).toEqual(Array.from({ length: 1001 }, (_, index) => index + 1))
    })

    it('is closed cleanly when the gateway ends it', async () => {
      const { outcome, sink } = await open()
      if (outcome.kind === 'opened') outcome.end()
      expect(sink.state).toBe('ended')
    })
  })

  describe('the limit of streams', () => {
    it('is checked last: unknown targets and expired positions use no slot', async () => {
      for (let i = 0; i < 4; i++) await open()
      expect(await codeOf({ after: '7' })).toBe('CURSOR_EXPIRED')
      expect(await codeOf({}, { conversationId: 'conv_unknown' })).toBe('NOT_FOUND')
    })

    it('does not count a stream whose reader disconnected before it was opened, or one that failed to open', async () => {
      for (let i = 0; i < 5; i++) {
        const gone = createMemorySink()
        gone.hangUp()
        expect((await open({}, { conversationId }, gone)).outcome.kind).toBe('opened')
        const broken = openEventStream(streams, tenant, { conversationId }, {}, () => {
          throw new Error('no connection')
        })
        await expect(broken).rejects.toThrow('no connection')
      }
      await untilHolds(() => expect(hub.openStreams()).toBe(0))
      await untilHolds(async () => expect(await codeOf()).toBe('opened'))
    })
  })
})
