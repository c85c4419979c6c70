import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import type { GatewayContext } from '../src/gateway/context.ts'
import { sendMessage } from '../src/gateway/send-message.ts'
import { createServiceSchemas } from '../src/gateway/service-schemas.ts'
import { createEventReader } from '../src/gateway/stream/event-reader.ts'
import { createHub } from '../src/gateway/stream/hub.ts'
import { createWakeupBus } from '../src/gateway/wakeups/wakeup-bus.ts'
import { sseFrames } from '../src/http/answers/sse-frame.ts'
import { systemTimers } from '../src/runtime/timers.ts'
import { createPgDb } from '../src/store/drivers/pg.ts'
import { readEvents } from '../src/store/history/events.ts'
import { migrate } from '../src/store/migrate.ts'
import { createWriter } from '../src/writer/writer.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { FAR_LIMITS } from './support/far-limits.ts'
import type { SubscriberPlan } from './support/latency-subscriber.ts'
import { populate } from './support/populate.ts'
import { startProcess } from './support/processes.ts'
import type { Row } from './support/ratios.ts'
import { median, medianRatio, percentile } from './support/ratios.ts'
import { timingSink } from './support/timing-sink.ts'

const WAKE_MS = 10
const ROUNDS = 5
const SENDS = 200
const PAUSE_MS = 2

const throwIt = (error: unknown): void => {
  throw error
}
const toMs = (ns: bigint): number => Number(ns) / 1e6

/**
 * The time from the answer to an admission until its event reaches a subscriber, in the same process and in another
 * one.
 */
export const benchLatency = async (postgres: TestPostgres, onProgress: (line: string) => void): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const db = createPgDb({ url })
  await migrate(db)
  const { appId, subject, conversationIds } = await populate(db, 3)
  const [hubbed = '', bare = '', remote = ''] = conversationIds
  const tenant: Tenant = { appId, subject }
  const wakeups = await createWakeupBus({
    db,
    timers: systemTimers,
    processId: randomUUID(),
    wakeMs: WAKE_MS,
    onError: throwIt,
  })
  const context: GatewayContext = {
    db,
    writer: createWriter(db),
    clock: systemClock,
    wakeups,
    settings: FAR_LIMITS,
    schemas: createServiceSchemas(),
    secrets: null,
    baseUrl: () => '',
    callbackTargets: { hosts: new Set(), devOrigins: new Set() },
    limits: { streams: { perDevice: 32, perApp: 16, perSubject: 4 }, requestsPerSecond: null },
  }
  const send = async (conversationId: string): Promise<bigint> => {
    const request = { key: randomUUID(), fingerprint: new Uint8Array(32), traceparent: null }
    const body = { expected_generation: 1, input: { text: 'hello' } }
    const outcome = await sendMessage(context, tenant, request, { app: { pendingLimit: null }, conversationId, body })
    if (outcome.kind === 'refused') throw new Error(outcome.detail)
    return process.hrtime.bigint()
  }

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
  let received = Promise.withResolvers<bigint>()
  hub.subscribe({
    log: { appId, conversationId: hubbed, runId: null },
    position: 0,
    lastSeq: 0,
    sink: timingSink((at) => received.resolve(at)),
  })

  let position = 0
  let read = Promise.withResolvers<bigint>()
  const stop = wakeups.onConversation(
    ({ conversationId }) => {
      if (conversationId !== bare) return
      readEvents(db, { appId, conversationId: bare, runId: null }, position, { events: 256, payloadBytes: 262_144 })
        .then((events) => {
          position = events.at(-1)?.seq ?? position
          if (events.length > 0) read.resolve(process.hrtime.bigint())
        })
        .catch(throwIt)
    },
    () => {},
  )

  const plan: SubscriberPlan = { url, appId, conversationId: remote, wakeMs: WAKE_MS }
  const subscriber = await startProcess<object>('latency-subscriber.ts', plan)
  let arrived = Promise.withResolvers<bigint>()
  subscriber.child.on('message', (at) => arrived.resolve(BigInt(String(at))))

  const p50s: Record<'hub' | 'bare' | 'remote', number[]> = { hub: [], bare: [], remote: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    onProgress(`commit to receipt, round ${round + 1} of ${ROUNDS}`)
    const seen: Record<'hub' | 'bare' | 'remote', number[]> = { hub: [], bare: [], remote: [] }
    for (let n = 0; n < SENDS; n += 1) {
      received = Promise.withResolvers()
      const committedForHub = await send(hubbed)
      seen.hub.push(toMs((await received.promise) - committedForHub))
      read = Promise.withResolvers()
      const committedForBare = await send(bare)
      seen.bare.push(toMs((await read.promise) - committedForBare))
      arrived = Promise.withResolvers()
      const committedForRemote = await send(remote)
      seen.remote.push(toMs((await arrived.promise) - committedForRemote))
      await pause(PAUSE_MS)
    }
    for (const which of ['hub', 'bare', 'remote'] as const) p50s[which].push(percentile(seen[which], 0.5))
  }
  stop()
  await subscriber.end()
  await hub.close()
  await wakeups.close()
  await db.close()
  const [hubMs, bareMs, remoteMs] = [median(p50s.hub), median(p50s.bare), median(p50s.remote)]
  return [
    {
      name: 'commit to receipt in the same process, p50, against a bare hint and a read by cursor',
      ratio: medianRatio(p50s.hub, p50s.bare),
      bound: { atMost: 1.5 },
      detail: `${hubMs.toFixed(2)} ms against ${bareMs.toFixed(2)} ms`,
    },
    {
      name: 'commit to receipt in another process, p50, in ms',
      ratio: remoteMs,
      bound: { atMost: WAKE_MS + 1 },
      detail: `the coalescing window is ${WAKE_MS} ms`,
    },
  ]
}
