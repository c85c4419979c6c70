import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Attempt } from '../src/delivery/attempt.ts'
import { createAttempt } from '../src/delivery/attempt.ts'
import { createGuardedConnect } from '../src/delivery/guarded-connect.ts'
import type { PostEvent } from '../src/delivery/post-event.ts'
import { createPostEvent } from '../src/delivery/post-event.ts'
import { DEFAULT_DELIVERY_SETTINGS } from '../src/delivery/settings.ts'
import { createDeliveryWorker } from '../src/delivery/worker.ts'
import { createSecretBox } from '../src/domain/secret-box.ts'
import type { GatewayContext } from '../src/gateway/context.ts'
import { sealCallbackSecret } from '../src/gateway/secrets/signing-secret.ts'
import { systemTimers } from '../src/runtime/timers.ts'
import { insertCallback } from '../src/store/admin/callbacks.ts'
import type { Statement } from '../src/store/db.ts'
import { createPgDb } from '../src/store/drivers/pg.ts'
import { migrate } from '../src/store/migrate.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { startProcess } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianRatio } from './support/ratios.ts'
import type { ReceiverReady } from './support/receiver-process.ts'

const CALLBACKS = 16
const CONVERSATIONS = 100
const BODY = JSON.stringify({ type: 'run.completed', payload: { result: { text: 'x'.repeat(400) } } })
const CA = readFileSync(new URL('../test/support/tls/cert.pem', import.meta.url), 'utf8')

const NEW_DELIVERIES: Statement = {
  name: 'bench_new_deliveries',
  access: 'write',
  text: `
insert into deliveries (app_id, callback_id, event_id, delivery_id, callback_version, callback_revision, conversation_id,
  seq, event_type, body, next_attempt_at, expires_at, created_at, updated_at)
select 'app', $1, 'evt_' || $2 || n, 'dlv_' || $2 || n, 1, 1, 'conv_' || $2 || (n % ${CONVERSATIONS}), n, 'run.completed',
  $4, now() - interval '1 minute', now() + interval '1 day', now(), now()
from generate_series(1, $3::integer) n`,
}
const CLEAR = ['callbacks', 'deliveries', 'delivery_attempts'].map(
  (table): Statement => ({
    name: `bench_clear_${table}`,
    access: 'write',
    text: `truncate ${table}`,
  }),
)

/** Deliveries per second of one worker, without and with a receiver that never answers. */
export const benchDeliveries = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly rows: Row[]; readonly notes: string[] }> => {
  const { url } = await createDatabase(postgres.url)
  const db = createPgDb({ url })
  await migrate(db)
  const receiver = await startProcess<ReceiverReady>('receiver-process.ts', null)
  const { http, https, silent } = receiver.ready
  const [plain, tls, mute] = [`http://127.0.0.1:${http}`, `https://localhost:${https}`, `http://127.0.0.1:${silent}`]
  const context: Pick<GatewayContext, 'db' | 'clock' | 'secrets' | 'callbackTargets'> = {
    db,
    clock: systemClock,
    secrets: createSecretBox(new Uint8Array(32)),
    callbackTargets: { hosts: new Set(), devOrigins: new Set([plain, tls, mute]) },
  }
  const post = createPostEvent({
    connect: createGuardedConnect({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      findBlocked: () => null,
      ca: CA,
    }),
    timers: systemTimers,
    settings: DEFAULT_DELIVERY_SETTINGS,
  })
  // Only HTTP is exempt: deliveries over HTTPS to localhost, which has the certificate, are checked like those to any
  // host.
  const attempt = createAttempt(context, (sent, signal) =>
    post({ ...sent, isExempt: sent.url.protocol === 'http:' }, signal),
  )
  const measured = {
    store: [] as number[],
    http: [] as number[],
    https: [] as number[],
    bare: [] as number[],
    beside: [] as number[],
  }
  const count = Math.max(1000, measureMs * 2)
  try {
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`callbacks, round ${round + 1} of ${rounds}`)
      const nothing: Attempt = async () => ({ kind: 'answered', status: 204, retryAfter: null, excerpt: '' })
      measured.store.push(await drain(context, nothing, count, Array<string>(CALLBACKS).fill(plain)))
      measured.http.push(await drain(context, attempt, count, Array<string>(CALLBACKS).fill(plain)))
      measured.beside.push(await drain(context, attempt, count, [...Array<string>(CALLBACKS).fill(plain), mute]))
      measured.https.push(await drain(context, attempt, count, Array<string>(CALLBACKS).fill(tls)))
      measured.bare.push(await postBare(post, plain, count))
    }
  } finally {
    await receiver.end()
    await db.close()
  }
  const per = (values: readonly number[]): string => `${Math.round(median(values))}/s`
  return {
    rows: [
      {
        name: `callbacks: one worker for ${CALLBACKS} callbacks over HTTP, against the same requests without a database`,
        ratio: medianRatio(measured.http, measured.bare),
        bound: { atLeast: 0.3 },
        detail: `${per(measured.http)} against ${per(measured.bare)}`,
      },
      {
        name: 'callbacks: beside a receiver that never answers, relative to no such receiver',
        ratio: medianRatio(measured.beside, measured.http),
        bound: { atLeast: 0.7 },
        detail: `${per(measured.beside)} against ${per(measured.http)}`,
      },
    ],
    notes: [
      `callbacks of one worker: ${per(measured.store)} without network, ${per(measured.http)} over HTTP, ${per(measured.https)} over TLS`,
    ],
  }
}

type DeliveryContext = Pick<GatewayContext, 'db' | 'clock' | 'secrets'>

/** Deliveries per second for the first `CALLBACKS` callbacks; does not wait for those of a further, silent one. */
const drain = async (
  context: DeliveryContext,
  attempt: Attempt,
  count: number,
  origins: readonly string[],
): Promise<number> => {
  const { db } = context
  for (const statement of CLEAR) await db.query(statement, [])
  const share = Math.ceil(count / CALLBACKS)
  for (const origin of origins) await addCallback(context, origin, share)
  let delivered = 0
  const worker = createDeliveryWorker({
    context,
    workerId: randomUUID(),
    attempt,
    timers: systemTimers,
    wakeups: { onDeliveries: () => () => {} },
    log: { info: () => {}, warn: () => {}, error: console.error },
    settings: { ...DEFAULT_DELIVERY_SETTINGS, shutdownGraceMs: 1 },
    random: Math.random,
    onSettled: () => {},
    onAttempt: (state) => {
      if (state === 'delivered') delivered += 1
    },
  })
  const before = performance.now()
  await worker.start()
  while (delivered < share * CALLBACKS) await pause(2)
  const seconds = (performance.now() - before) / 1000
  await worker.stop()
  return (share * CALLBACKS) / seconds
}

const addCallback = async ({ db, secrets, clock }: DeliveryContext, origin: string, count: number): Promise<void> => {
  if (secrets === null) throw new Error('no key to encrypt secrets')
  const callbackId = `cb_${randomUUID()}`
  await insertCallback(db, {
    callbackId,
    appId: 'app',
    endpointId: 'ep',
    deviceId: 'dev',
    url: `${origin}/events`,
    eventTypes: ['run.completed'],
    enabled: true,
    version: 1,
    revision: 1,
    sealedSecret: sealCallbackSecret(secrets, callbackId, 'secret'),
    previousSecret: null,
    sealedFileSecret: null,
    sealedQuery: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })
  await db.query(NEW_DELIVERIES, [callbackId, randomUUID(), count, BODY])
}

/** Sends the requests without a database, as many at once as a worker does. Returns requests per second. */
const postBare = async (post: PostEvent, origin: string, count: number): Promise<number> => {
  const url = new URL(`${origin}/events`)
  const body = Buffer.from(BODY)
  const headers = { 'content-type': 'application/json', 'content-length': body.byteLength }
  const { signal } = new AbortController()
  let left = count
  const loop = async (): Promise<void> => {
    for (; left > 0; left -= 1) await post({ url, isExempt: true, headers, body }, signal)
  }
  const before = performance.now()
  await Promise.all(Array.from({ length: CALLBACKS * DEFAULT_DELIVERY_SETTINGS.concurrencyPerCallback }, loop))
  return count / ((performance.now() - before) / 1000)
}
