import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { Statement } from '../src/store/db.ts'
import { createPgDb } from '../src/store/drivers/pg.ts'
import { migrate } from '../src/store/migrate.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { Population } from './support/populate.ts'
import { populate } from './support/populate.ts'
import { startProcess } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianRatio, percentile } from './support/ratios.ts'
import type { ServerPlan, ServerReady } from './support/server-process.ts'

const CONVERSATIONS = 100
const SENDERS = 64
const READERS = 2
const LOCK: Statement = {
  name: 'bench_lock',
  access: 'write',
  text: 'select 1 from conversations where conversation_id = $1 for update',
}

interface Target extends Population {
  readonly port: number
}

/** The latency of reads while many senders wait for one locked row, relative to the latency without them. */
export const benchLockWaits = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const db = createPgDb({ url, poolSize: 2 })
  await migrate(db)
  const population = await populate(db, CONVERSATIONS)
  const plan: ServerPlan = { shape: 'gateway', database: { url }, wakeOthers: false, conversations: 0 }
  const server = await startProcess<ServerReady>('server-process.ts', plan)
  const target = { ...population, port: server.ready.port }
  const [locked = '', ...others] = population.conversationIds
  try {
    const alone: number[][] = []
    const beside: number[][] = []
    await readFor(target, others, 500)
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`reads beside ${SENDERS} senders that wait, round ${round + 1} of ${rounds}`)
      alone.push(await readFor(target, others, measureMs))
      const senders: Promise<number>[] = []
      await db.transaction(
        async (tx) => {
          await tx.query(LOCK, [locked])
          for (let n = 0; n < SENDERS; n += 1)
            senders.push(ask(target, `/api/v1/conversations/${locked}/messages`, MESSAGE))
          beside.push(await readFor(target, others, measureMs))
        },
        { deadlineMs: 60_000 },
      )
      const answers = await Promise.all(senders)
      if (answers.some((status) => status !== 202)) throw new Error(`a sender was answered ${answers}`)
    }
    const at = (share: number, rounds: readonly number[][]): number[] => rounds.map((times) => percentile(times, share))
    const describe = (times: readonly number[][]): string =>
      `p50 ${median(at(0.5, times)).toFixed(1)} ms, p95 ${median(at(0.95, times)).toFixed(1)} ms`
    return [
      {
        name: `reads beside ${SENDERS} senders that wait for one row, p50, relative to no senders`,
        ratio: medianRatio(at(0.5, beside), at(0.5, alone)),
        bound: { atMost: 2 },
        detail: `${describe(beside)}; against ${describe(alone)}`,
      },
    ]
  } finally {
    await server.end()
    await db.close()
  }
}

const MESSAGE = JSON.stringify({ expected_generation: 1, input: { text: 'waits' } })

/** `READERS` readers read one conversation after the other for a while. Returns the durations in milliseconds. */
const readFor = async (target: Target, conversationIds: readonly string[], forMs: number): Promise<number[]> => {
  const times: number[] = []
  const end = performance.now() + forMs
  const reader = async (): Promise<void> => {
    for (let n = 0; performance.now() < end; n += 1) {
      const askedAt = performance.now()
      const status = await ask(target, `/api/v1/conversations/${conversationIds[n % conversationIds.length]}`)
      if (status !== 200) throw new Error(`a read was answered ${status}`)
      times.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return times
}

const agent = new Agent({ keepAlive: true })

const ask = ({ port, apiKey, subject }: Target, path: string, body?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'x-service-subject': subject,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    }
    request(
      { agent, port, path, headers, host: '127.0.0.1', method: body === undefined ? 'GET' : 'POST' },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
      .on('error', reject)
      .end(body)
  })
