import { readFile } from 'node:fs/promises'
import type { Statement } from '../src/store/db.ts'
import { createPgDb } from '../src/store/drivers/pg.ts'
import { KEYS, writeBootstrap } from '../test/support/bootstrap-file.ts'
import { createClient, ended } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { startGateway } from '../test/support/gateway-process.ts'
import { median } from './support/ratios.ts'

const STREAMS = 500
const QUEUED = 2000
const RUNS = 200

const TABLES = ['messages', 'runs', 'events', 'idempotency', 'operations'] as const
const SIZES: Statement = {
  name: 'bench_sizes',
  access: 'read',
  text: `select relname as name, pg_total_relation_size(c.oid) as bytes,
      (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || relname, false, true, '')))[1]::text::integer as rows
    from pg_class c join json_array_elements_text($1::json) t(name) on t.name = relname where relkind = 'r'`,
}

/** The resources that a process and its database need. */
export interface Footprint {
  /** Until ready, on PostgreSQL. */
  readonly startUpMs: number
  /** The rows and bytes, with indexes, that an echo run of nine words adds to each table. */
  readonly run: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[]
  /** Memory of a process after some work, without streams. */
  readonly quietMiB: number
  readonly streamKiB: number
  readonly queuedRunKiB: number
}

export const footprintNotes = ({ startUpMs, run, quietMiB, streamKiB, queuedRunKiB }: Footprint): string[] => {
  const rows = run.map(({ table, rows }) => `${table} ${rows.toFixed(1)}`)
  const runBytes = run.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    `start-up on PostgreSQL, until ready: ${Math.round(startUpMs)} ms`,
    `an echo run of nine words: ${Math.round(runBytes)} bytes with indexes; rows: ${rows.join(', ')}`,
    `memory without streams: ${Math.round(quietMiB)} MiB`,
    `memory per open stream: ${streamKiB.toFixed(1)} KiB (${STREAMS} streams)`,
    `memory per queued run: ${queuedRunKiB.toFixed(2)} KiB (they wait in the database)`,
  ]
}

/** Start-up time, memory of streams and queued runs, rows and bytes of a run. */
export const measureFootprint = async (
  postgres: TestPostgres,
  onProgress: (line: string) => void,
): Promise<Footprint> => {
  onProgress('footprint')
  const { url } = await createDatabase(postgres.url)
  const settings = {
    DATABASE_URL: url,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_STREAMS_PER_DEVICE: '100000',
    GATEWAY_STREAMS_PER_APP: '100000',
    GATEWAY_STREAMS_PER_SUBJECT: '100000',
    GATEWAY_PENDING_PER_APP: '100000',
    GATEWAY_PENDING_PER_DEVICE: '100000',
  }
  await (await startGateway(settings)).stop()
  const starts: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const before = performance.now()
    const started = await startGateway(settings)
    starts.push(performance.now() - before)
    await started.stop()
  }

  const db = createPgDb({ url, poolSize: 2 })
  const gateway = await startGateway(settings)
  try {
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
    const conversation = await client.createConversation({ endpoint_id: 'ep_echo' })
    const id = conversation.body.conversation_id
    await ended(client, (await client.send(id, { text: 'warm up' })).body.run_id)

    const before = await sizes(db)
    for (let n = 0; n < RUNS; n += 1)
      await ended(client, (await client.send(id, { text: 'the quick brown fox jumps over the lazy dog' })).body.run_id)
    const after = await sizes(db)
    const perRun = (name: string, member: 'rows' | 'bytes'): number =>
      ((after.get(name)?.[member] ?? 0) - (before.get(name)?.[member] ?? 0)) / RUNS

    const { conversation_id: quiet } = (await client.createConversation({ endpoint_id: 'ep_echo' })).body
    const idle = await residentBytes(gateway.pid)
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => client.events(quiet)))
    const withStreams = await residentBytes(gateway.pid)
    for (const stream of streams) stream.close()

    const others = await Promise.all(
      Array.from({ length: QUEUED / 20 }, () => client.createConversation({ endpoint_id: 'ep_script' })),
    )
    for (const { body } of others) await client.send(body.conversation_id, { data: { script: [{ hang: true }] } })
    const holding = await residentBytes(gateway.pid)
    for (const { body } of others)
      for (let n = 0; n < 19; n += 1) await client.send(body.conversation_id, { text: 'queued' })
    const queued = await residentBytes(gateway.pid)
    return {
      startUpMs: median(starts),
      run: TABLES.map((table) => ({ table, rows: perRun(table, 'rows'), bytes: perRun(table, 'bytes') })),
      quietMiB: idle / 1024 ** 2,
      streamKiB: (withStreams - idle) / STREAMS / 1024,
      queuedRunKiB: (queued - holding) / (others.length * 19) / 1024,
    }
  } finally {
    await gateway.kill()
    await db.close()
  }
}

const sizes = async (db: ReturnType<typeof createPgDb>): Promise<Map<string, { rows: number; bytes: number }>> => {
  const rows = await db.query<{ name: string; rows: number; bytes: number }>(SIZES, [JSON.stringify(TABLES)])
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

/** Resident memory of a process, from the kernel. */
export const residentBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024
}
