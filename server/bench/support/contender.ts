import { createPgDb } from '../../src/store/drivers/pg.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { TestPostgres } from '../../test/support/databases/postgres.ts'
import { createDatabase } from '../../test/support/databases/postgres.ts'
import type { LoadResult } from './load-generator.ts'
import type { Population } from './populate.ts'
import { populate } from './populate.ts'
import type { BenchProcess } from './processes.ts'
import { load, startProcess } from './processes.ts'
import type { ServerPlan, ServerReady, Shape } from './server-process.ts'

const CONVERSATIONS = 20_000
const WARMUP_MS = 500

/** A server of `server-process.ts` on a separate database. */
export interface Contender {
  readonly server: BenchProcess<ServerReady>
  readonly population: Population
  readonly checkpoint: () => Promise<void>
  readonly end: () => Promise<void>
}

interface ContenderOptions {
  readonly wakeOthers?: boolean
  /** The delay that is added to each flush to the disk, in milliseconds. */
  readonly flushMs?: number
  /** The input schema of the service. Default: none. */
  readonly inputSchema?: object
}

export const startContender = async (
  postgres: TestPostgres,
  shape: Shape,
  { wakeOthers = false, flushMs = 0, inputSchema }: ContenderOptions = {},
): Promise<Contender> => {
  const { url } = await createDatabase(postgres.url)
  if (flushMs > 0) await delayFlushes(url, flushMs)
  const db = createPgDb({ url, poolSize: 2, deadlineMs: 60_000 })
  await migrate(db)
  const population = await populate(db, CONVERSATIONS, inputSchema)
  await db.exec('analyze')
  const plan: ServerPlan = { shape, database: { url }, wakeOthers, conversations: 0 }
  const server = await startProcess<ServerReady>('server-process.ts', plan)
  return {
    server,
    population,
    checkpoint: () => db.exec('checkpoint'),
    end: async () => {
      await server.end()
      await db.close()
    },
  }
}

interface Load {
  /** Whether all messages go to one conversation. */
  readonly hot?: boolean
  /** The data of each message. Default: none. */
  readonly data?: object
}

export const measure = async (
  { server, population, checkpoint }: Contender,
  connections: number,
  measureMs: number,
  { hot = false, data }: Load = {},
): Promise<LoadResult> => {
  await checkpoint()
  const { apiKey, subject, conversationIds } = population
  return load({
    port: server.ready.port,
    connections,
    warmupMs: WARMUP_MS,
    measureMs,
    apiKey,
    subject,
    conversationIds: hot ? conversationIds.slice(0, 1) : conversationIds,
    ...(data && { data }),
  })
}

/** Simulates a slower disk: the server waits before each flush, and no other session can flush during the wait. */
const delayFlushes = async (url: string, flushMs: number): Promise<void> => {
  const db = createPgDb({ url, poolSize: 1 })
  const name = new URL(url).pathname.slice(1)
  await db.exec(
    `alter database ${name} set commit_delay to ${flushMs * 1000}; alter database ${name} set commit_siblings to 0`,
  )
  await db.close()
}
