import { randomUUID } from 'node:crypto'
import type { AttemptResult } from '@conversation-gateway/openapi/behaviour/delivery-outcome'
import type { Attempt } from '../../src/delivery/attempt.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../../src/delivery/settings.ts'
import type { DeliveryWorker } from '../../src/delivery/worker.ts'
import { createDeliveryWorker } from '../../src/delivery/worker.ts'
import { insertCallback } from '../../src/store/admin/callbacks.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import type { ClaimedDelivery } from '../../src/store/deliveries.ts'
import type { TestDatabase } from '../support/databases/databases.ts'
import type { TestClock } from '../support/gateway-fixture.ts'
import { createTestClock } from '../support/gateway-fixture.ts'
import type { ManualTimers } from '../support/manual-timers.ts'
import { createManualTimers } from '../support/manual-timers.ts'

export const ANSWERED: AttemptResult = { kind: 'answered', status: 204, retryAfter: null, excerpt: '' }
export const FAILED: AttemptResult = { kind: 'failed', message: 'The receiver refused the connection.' }
export const HOUR_MS = 3_600_000

const NEW_DELIVERIES: Statement = {
  name: 'test_new_deliveries',
  access: 'write',
  text: `
insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision, conversation_id,
  seq, event_type, body, next_attempt_at, expires_at, created_at, updated_at)
select 'app', $1, 'evt_' || $2 || lpad(n::text, 6, '0'), 'dlv_' || $2 || lpad(n::text, 6, '0'), 1, 1,
  'conv_' || $2 || (n % $4::integer), n, 'run.completed', '{}', $5::timestamptz + (n || ' milliseconds')::interval,
  $5::timestamptz + interval '24 hours', $5, $5
from generate_series(1, $3::integer) n`,
}
const STATES: Statement = {
  name: 'test_delivery_states',
  access: 'read',
  text: `select coalesce(json_object_agg(state, n), '{}') as states from
    (select state, count(*) as n from deliveries where callback_id = $1 group by state) s`,
}
export const ATTEMPTS: Statement = {
  name: 'test_attempts_of_callback',
  access: 'read',
  text: `select d.event_id as "eventId", a.attempt, a.error, a.latency_ms as "latencyMs" from delivery_attempts a
    join deliveries d on d.app_id = a.app_id and d.delivery_id = a.delivery_id
    where d.callback_id = $1 order by d.event_id, a.attempt`,
}

export const newCallback = async (db: Db, clock: TestClock): Promise<string> => {
  const callbackId = `cb_${randomUUID()}`
  await insertCallback(db, {
    callbackId,
    appId: 'app',
    endpointId: 'ep',
    deviceId: 'dev',
    url: 'https://receiver.test/',
    eventTypes: ['run.completed'],
    enabled: true,
    version: 1,
    revision: 1,
    sealedSecret: new Uint8Array(1),
    previousSecret: null,
    sealedFileSecret: null,
    sealedQuery: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })
  return callbackId
}

/** Adds deliveries that become due at intervals of one millisecond, distributed evenly over the conversations. */
export const addDeliveries = async (
  db: Db,
  clock: TestClock,
  callbackId: string,
  count: number,
  conversations: number = count,
): Promise<void> => {
  await db.query(NEW_DELIVERIES, [callbackId, randomUUID().slice(0, 8), count, conversations, clock.now()])
}

export const statesOf = async (db: Db, callbackId: string): Promise<Readonly<Record<string, number>>> =>
  (await db.query<{ states: Record<string, number> }>(STATES, [callbackId]))[0]?.states ?? {}

const workers: DeliveryWorker[] = []
/** Stops all workers that the test has started. */
export const stopWorkers = async (): Promise<void> => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
}

interface Started {
  readonly worker: DeliveryWorker
  readonly timers: ManualTimers
  /** Advances the time to the next poll of the worker. */
  poll(): void
  /** Wakes the worker up, as a commit does. */
  hint(): void
}

export const startWorker = async (
  db: Db,
  clock: TestClock,
  attempt: Attempt,
  settings: Partial<typeof DEFAULT_DELIVERY_SETTINGS> = {},
): Promise<Started> => {
  const timers = createManualTimers()
  let hint = (): void => {}
  const worker = createDeliveryWorker({
    context: { db, clock },
    workerId: randomUUID(),
    attempt,
    timers,
    wakeups: {
      onDeliveries: (onHint) => {
        hint = () => onHint(null)
        return () => {}
      },
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    settings: { ...DEFAULT_DELIVERY_SETTINGS, shutdownGraceMs: 1, shutdownStopMs: 1, ...settings },
    random: () => 0.5,
    onAttempt: () => {},
    onSettled: () => {},
  })
  workers.push({
    ...worker,
    stop: async () => {
      const stopped = worker.stop()
      timers.advance(10)
      await stopped
    },
  })
  await worker.start()
  return { worker, timers, poll: () => timers.advance(DEFAULT_DELIVERY_SETTINGS.pollMs), hint: () => hint() }
}

/** `attempt`, whose attempts end only when the test ends them or they are aborted, and `held`, all its attempts. */
export const createHeld = () => {
  const held: { delivery: ClaimedDelivery; end: (result: AttemptResult) => void }[] = []
  const attempt: Attempt = (delivery, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(FAILED))
      held.push({ delivery, end: resolve })
    })
  return { held, attempt }
}

const CLEAR: Statement = {
  name: 'test_clear_deliveries',
  access: 'write',
  text: 'truncate callbacks, deliveries, delivery_attempts',
}

export const setUp = async ({ db }: TestDatabase) => {
  await db.query(CLEAR, [])
  return { db, clock: createTestClock() }
}
