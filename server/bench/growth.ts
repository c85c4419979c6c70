import { systemClock } from '@conversation-gateway/openapi/behaviour/clock'
import type { Sweep } from '../src/gateway/retention.ts'
import { createSweeps } from '../src/gateway/retention.ts'
import type { Db, Statement } from '../src/store/db.ts'
import { createPgDb } from '../src/store/drivers/pg.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import type { Effort, Row } from './support/ratios.ts'
import { medianOf, medianRatioOf } from './support/ratios.ts'
import type { RunLoadResult } from './support/run-load.ts'
import { runLoad, startRunServer } from './whole-run.ts'

const AT_ONCE = 16
const CONVERSATIONS = 100_000
const RUNS_EACH = 3
const EVENTS_OF_RUN = 10
const EVENTS_EACH = RUNS_EACH * EVENTS_OF_RUN
const EVENTS = CONVERSATIONS * EVENTS_EACH

/** Old conversations, whose events are due for removal. */
const OLD_CONVERSATIONS = `
insert into conversations (app_id, conversation_id, subject, owner_id, endpoint_id, device_id, binding_version, last_seq, created_at)
select 'app_bench', 'conv_old_' || n, 'bench', 'owner_bench', 'ep_echo', 'dev_bench', 1, ${EVENTS_EACH}, now() - interval '9 days'
from generate_series(1, ${CONVERSATIONS}) as n`

/** The events of the old conversations in chronological order, ten of a conversation in a row, as of one run. */
const OLD_EVENTS = `
insert into events (app_id, conversation_id, seq, event_id, generation, run_id, message_id, type, payload, created_at)
select 'app_bench', 'conv_old_' || 1 + n / ${EVENTS_OF_RUN} % ${CONVERSATIONS},
  1 + n / ${CONVERSATIONS * EVENTS_OF_RUN} * ${EVENTS_OF_RUN} + n % ${EVENTS_OF_RUN}, 'evt_' || gen_random_uuid(), 1,
  'run_' || gen_random_uuid(), 'msg_' || gen_random_uuid(), 'assistant.delta', '{"text":"nine words of an echo that was long ago"}',
  now() - interval '9 days' + make_interval(secs => n * 86400.0 / ${EVENTS})
from generate_series(0, ${EVENTS - 1}) as n`

const DELETED: Statement = {
  name: 'bench_deleted_events',
  access: 'read',
  text: `select n_tup_del as deleted from pg_stat_user_tables where relname = 'events'`,
}
const FLUSH_STATISTICS: Statement = {
  name: 'bench_flush_statistics',
  access: 'read',
  text: 'select pg_stat_force_next_flush()',
}

interface Side {
  readonly server: GatewayProcess
  readonly db: Db
}

/** A gateway without the role `maintenance`, so that it removes nothing. */
const startSide = async (postgres: TestPostgres): Promise<Side> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer({ DATABASE_URL: url, GATEWAY_ROLES: 'api,device,delivery' })
  return { server, db: createPgDb({ url, poolSize: 1, deadlineMs: 600_000 }) }
}

/** Warms up the gateway, then brings the tables into the state that autovacuum and a checkpoint would reach later. */
const settle = async ({ server, db }: Side, measureMs: number): Promise<void> => {
  await runLoad(server, AT_ONCE, measureMs)
  for (const text of ['vacuum (analyze)', 'checkpoint']) await db.query({ name: '', access: 'write', text }, [])
}

const sweepUntil = async (signal: AbortSignal, sweep: Sweep): Promise<void> => {
  while (!signal.aborted)
    if ((await sweep.run(signal)) && !signal.aborted) throw new Error('too few events to remove for this measurement')
}

const describe = (results: readonly RunLoadResult[]): string =>
  `${Math.round(medianOf(results, 'perSecond'))}/s, p99 ${medianOf(results, 'p99Ms').toFixed(1)} ms`

/**
 * The effect of a large log on writers: with a full log relative to an empty one, and while its events are removed. The
 * measuring process removes them, in place of a process with the role `maintenance`.
 */
export const benchGrowth = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly rows: Row[]; readonly notes: string[] }> => {
  const [empty, full] = [await startSide(postgres), await startSide(postgres)]
  const sweep = createSweeps({ db: full.db, clock: systemClock }).find(({ name }) => name === 'events')
  if (sweep === undefined) throw new Error('no sweep removes events')
  try {
    onProgress(`storing ${EVENTS} events`)
    await full.db.exec(`set local statement_timeout to 0; ${OLD_CONVERSATIONS}; ${OLD_EVENTS}`)
    for (const side of [empty, full]) await settle(side, measureMs)
    const seen = { empty: [] as RunLoadResult[], full: [] as RunLoadResult[], beside: [] as RunLoadResult[] }
    let removingMs = 0
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`whole runs beside a large log and its removal, round ${round + 1} of ${rounds}`)
      seen.empty.push(await runLoad(empty.server, AT_ONCE, measureMs))
      seen.full.push(await runLoad(full.server, AT_ONCE, measureMs))
      const since = performance.now()
      const loaded = new AbortController()
      const load = runLoad(full.server, AT_ONCE, measureMs).finally(() => loaded.abort())
      const [beside] = await Promise.all([load, sweepUntil(loaded.signal, sweep)])
      seen.beside.push(beside)
      removingMs += performance.now() - since
    }
    await full.db.query(FLUSH_STATISTICS, [])
    const [row] = await full.db.query<{ deleted: number }>(DELETED, [])
    const perSecond = ((row?.deleted ?? Number.NaN) / removingMs) * 1000
    return {
      rows: [
        {
          name: `whole run, ${AT_ONCE} at once, with ${EVENTS / 1e6} million events stored, against an empty log`,
          ratio: medianRatioOf(seen.full, seen.empty, 'perSecond'),
          bound: { atLeast: 1 / 1.2 },
          detail: `${describe(seen.full)}; against ${describe(seen.empty)}`,
        },
        {
          name: `whole run, ${AT_ONCE} at once, p99, beside the removal of a large log, relative to no removal`,
          ratio: medianRatioOf(seen.beside, seen.full, 'p99Ms'),
          bound: { atMost: 2 },
          detail: `${describe(seen.beside)}; against ${describe(seen.full)}`,
        },
      ],
      notes: [
        `removal of old events beside whole runs: ${Math.round(perSecond)}/s; at that rate a day of 100 million takes ${(1e8 / perSecond / 3600).toFixed(1)} hours`,
      ],
    }
  } finally {
    await Promise.all([empty, full].map(({ server, db }) => server.stop().then(() => db.close())))
  }
}
