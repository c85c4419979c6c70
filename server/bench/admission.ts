import { createPgDb } from '../src/store/drivers/pg.ts'
import { migrate } from '../src/store/migrate.ts'
import type { TestPostgres } from '../test/support/postgres.ts'
import { createDatabase } from '../test/support/postgres.ts'
import type { LoadResult } from './load-generator.ts'
import type { Population } from './populate.ts'
import { populate } from './populate.ts'
import type { BenchProcess } from './processes.ts'
import { load, startProcess } from './processes.ts'
import type { Row } from './ratios.ts'
import { median } from './ratios.ts'
import type { ServerPlan, ServerReady, Shape } from './server-process.ts'

const CONVERSATIONS = 20_000
const WARMUP_MS = 500

interface Contender {
  readonly server: BenchProcess<ServerReady>
  readonly population: Population
  readonly vacuum: () => Promise<void>
  readonly end: () => Promise<void>
}

const enter = async (postgres: TestPostgres, shape: Shape, wakeOthers: boolean): Promise<Contender> => {
  const { url } = await createDatabase(postgres.url)
  const db = createPgDb({ url, poolSize: 2 })
  await migrate(db)
  const population = await populate(db, CONVERSATIONS)
  await db.exec('analyze')
  const plan: ServerPlan = { shape, database: { url }, wakeOthers, conversations: 0 }
  const server = await startProcess<ServerReady>('server-process.ts', plan)
  return {
    server,
    population,
    vacuum: () => db.exec('checkpoint'),
    end: async () => {
      await server.end()
      await db.close()
    },
  }
}

const measure = async (
  { server, population, vacuum }: Contender,
  connections: number,
  measureMs: number,
  hot = false,
): Promise<LoadResult> => {
  await vacuum()
  const { apiKey, subject, conversationIds } = population
  return load({
    port: server.ready.port,
    connections,
    warmupMs: WARMUP_MS,
    measureMs,
    apiKey,
    subject,
    conversationIds: hot ? conversationIds.slice(0, 1) : conversationIds,
  })
}

const describe = (results: readonly LoadResult[]): string =>
  `${Math.round(median(results.map(({ perSecond }) => perSecond)))}/s, p50 ${median(results.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms, p99 ${median(results.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`

/** Admissions on PostgreSQL: against one INSERT, against an interactive transaction, on one conversation, with wake-ups. */
export const benchAdmission = async (
  postgres: TestPostgres,
  { rounds, measureMs }: { readonly rounds: number; readonly measureMs: number },
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const gateway = await enter(postgres, 'gateway', true)
  const silent = await enter(postgres, 'gateway', false)
  const insert = await enter(postgres, 'insert', false)
  const interactive = await enter(postgres, 'interactive', false)
  const all = [gateway, silent, insert, interactive]
  try {
    const rows: Row[] = []
    for (const connections of [32, 64]) {
      const seen: Record<'gateway' | 'silent' | 'insert' | 'interactive' | 'hot', LoadResult[]> = {
        gateway: [],
        silent: [],
        insert: [],
        interactive: [],
        hot: [],
      }
      for (let round = 0; round < rounds; round += 1) {
        onProgress(`admission, ${connections} connections, round ${round + 1} of ${rounds}`)
        seen.insert.push(await measure(insert, connections, measureMs))
        seen.gateway.push(await measure(gateway, connections, measureMs))
        seen.silent.push(await measure(silent, connections, measureMs))
        seen.interactive.push(await measure(interactive, connections, measureMs))
        if (connections === 32) seen.hot.push(await measure(gateway, connections, measureMs, true))
      }
      const ratio = (above: readonly LoadResult[], below: readonly LoadResult[]): number =>
        median(above.map(({ perSecond }, round) => perSecond / (below[round]?.perSecond ?? Number.NaN)))
      const versus = (above: readonly LoadResult[], below: readonly LoadResult[]): string =>
        `${describe(above)}; against ${describe(below)}`
      rows.push(
        {
          name: `admission, ${connections} connections, against one INSERT`,
          ratio: ratio(seen.gateway, seen.insert),
          bound: { atLeast: 0.65 },
          detail: versus(seen.gateway, seen.insert),
        },
        {
          name: `admission, ${connections} connections, against an interactive transaction`,
          ratio: ratio(seen.gateway, seen.interactive),
          bound: { atLeast: 2 },
          detail: versus(seen.gateway, seen.interactive),
        },
        {
          name: `admission, ${connections} connections, wake-ups on against off`,
          ratio: ratio(seen.gateway, seen.silent),
          bound: { atLeast: 0.85 },
          detail: versus(seen.gateway, seen.silent),
        },
      )
      if (connections === 32)
        rows.push({
          name: 'admission, all to one conversation, 32 connections, against one INSERT',
          ratio: ratio(seen.hot, seen.insert),
          bound: { atLeast: 0.2 },
          detail: versus(seen.hot, seen.insert),
        })
    }
    return rows
  } finally {
    for (const contender of all) await contender.end()
  }
}
