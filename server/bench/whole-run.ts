import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import { createPgDb } from '../src/store/drivers/pg.ts'
import { writeBootstrap } from '../test/support/bootstrap-file.ts'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import { startGateway } from '../test/support/gateway-process.ts'
import { measure, startContender } from './support/contender.ts'
import { cpuOfPostgres, cpuOfProcess } from './support/cpu-time.ts'
import type { QueuePlan, QueueRequest } from './support/job-queue-process.ts'
import type { BenchProcess } from './support/processes.ts'
import { loadRuns, startProcess } from './support/processes.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, medianOf, medianRatio, medianRatioOf, valuesOf } from './support/ratios.ts'
import type { RunLoadResult } from './support/run-load.ts'

const WARMUP_MS = 1000
export const [KEY, SUBJECT] = [`gk_bench_${'x'.repeat(43)}`, 'bench']
const AT_ONCE = [1, 16, 64] as const
const MANY = '1000000'

const BOOTSTRAP = {
  apps: [
    {
      app_id: 'app_bench',
      owner_id: 'owner_bench',
      keys: [{ key: KEY, scopes: ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] }],
    },
  ],
  devices: [{ device_id: 'dev_bench' }],
  endpoints: [
    { endpoint_id: 'ep_echo', app_id: 'app_bench', device_id: 'dev_bench', assistant: { type: 'echo' }, accepts: [] },
  ],
} satisfies Bootstrap

type Service = NonNullable<Bootstrap['endpoints']>[number]

/** `BOOTSTRAP` with further services; by default of its application, on its device. */
export const withServices = (
  ...services: (Pick<Service, 'endpoint_id' | 'assistant'> & Partial<Service>)[]
): Bootstrap => ({
  ...BOOTSTRAP,
  endpoints: [
    ...BOOTSTRAP.endpoints,
    ...services.map((service) => ({ app_id: 'app_bench', device_id: 'dev_bench', accepts: [], ...service })),
  ],
})

/** A whole gateway as an operator starts it, with limits that the load never reaches. */
export const startRunServer = async (
  database: Readonly<Record<string, string>>,
  bootstrap: Bootstrap = BOOTSTRAP,
): Promise<GatewayProcess> =>
  startGateway({
    ...database,
    GATEWAY_BOOTSTRAP: await writeBootstrap(bootstrap),
    GATEWAY_STREAMS_PER_DEVICE: MANY,
    GATEWAY_STREAMS_PER_APP: MANY,
    GATEWAY_STREAMS_PER_SUBJECT: MANY,
    GATEWAY_PENDING_PER_APP: MANY,
    GATEWAY_PENDING_PER_DEVICE: MANY,
    GATEWAY_RATE_LIMIT_PER_SECOND: '0',
  })

/** Makes a gateway execute runs in new conversations, whose streams are empty at first. */
export const runLoad = async (
  { baseUrl }: GatewayProcess,
  atOnce: number,
  measureMs: number,
  endpointId = 'ep_echo',
): Promise<RunLoadResult> => {
  const client = createClient({ baseUrl, key: KEY, subject: SUBJECT })
  const created = Array.from({ length: atOnce }, () => client.createConversation({ endpoint_id: endpointId }))
  return loadRuns({
    port: Number(new URL(baseUrl).port),
    apiKey: KEY,
    subject: SUBJECT,
    conversationIds: (await Promise.all(created)).map(({ body }) => body.conversation_id),
    warmupMs: WARMUP_MS,
    measureMs,
  })
}

export interface WholeRuns extends RunLoadResult {
  /** CPU milliseconds per run. Both the CPU time and the runs include the warm-up. */
  readonly postgresMs: number
  readonly gatewayMs: number
}

export const measureWholeRuns = async (
  postgres: TestPostgres,
  server: GatewayProcess,
  atOnce: number,
  measureMs: number,
): Promise<WholeRuns> => {
  const cpu = () => [cpuOfPostgres(postgres.dataFolder), cpuOfProcess(server.pid)] as const
  const before = cpu()
  const result = await runLoad(server, atOnce, measureMs)
  const after = cpu()
  return {
    ...result,
    postgresMs: (after[0] - before[0]) / result.finished,
    gatewayMs: (after[1] - before[1]) / result.finished,
  }
}

const analyze = async (url: string): Promise<void> => {
  const db = createPgDb({ url, poolSize: 1, deadlineMs: 60_000 })
  await db.exec('analyze')
  await db.close()
}

const measureQueue = async (queue: BenchProcess<object>, request: QueueRequest): Promise<number> => {
  queue.child.send(request)
  return Number((await once(queue.child, 'message'))[0])
}

/**
 * Whole runs, from the admission to the end on an open stream, on PostgreSQL and embedded, against one INSERT and a job
 * queue.
 */
export const benchWholeRun = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly rows: Row[]; readonly notes: string[] }> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer({ DATABASE_URL: url })
  const folder = await mkdtemp(join(tmpdir(), 'gateway-bench-'))
  const embedded = await startRunServer({ GATEWAY_DATA_DIR: folder })
  const insert = await startContender(postgres, 'insert')
  const queuePlan: QueuePlan = { url: (await createDatabase(postgres.url)).url }
  const queue = await startProcess<object>('job-queue-process.ts', queuePlan)
  const rows: Row[] = []
  const notes: string[] = []
  try {
    // Brings the tables into the state that autovacuum would reach a minute later.
    await runLoad(server, 16, measureMs)
    await analyze(url)
    for (const atOnce of AT_ONCE) {
      const wholeRuns: WholeRuns[] = []
      const inserts: { perSecond: number; p50Ms: number }[] = []
      const jobs: number[] = []
      const inEmbedded: RunLoadResult[] = []
      for (let round = 0; round < rounds; round += 1) {
        onProgress(`whole runs, ${atOnce} at once, round ${round + 1} of ${rounds}`)
        inserts.push(await measure(insert, atOnce, measureMs))
        wholeRuns.push(await measureWholeRuns(postgres, server, atOnce, measureMs))
        jobs.push(await measureQueue(queue, { concurrency: atOnce, warmupMs: WARMUP_MS, measureMs }))
        inEmbedded.push(await runLoad(embedded, atOnce, measureMs))
      }
      const per = (values: readonly { perSecond: number }[]) => `${Math.round(medianOf(values, 'perSecond'))}/s`
      const cpu = `PostgreSQL ${medianOf(wholeRuns, 'postgresMs').toFixed(2)} ms and gateway ${medianOf(wholeRuns, 'gatewayMs').toFixed(2)} ms of CPU a run`
      const p50 = (values: readonly { p50Ms: number }[]) => medianOf(values, 'p50Ms')
      notes.push(
        `embedded database: whole run, ${atOnce} at once: ${per(inEmbedded)}, p50 ${p50(inEmbedded).toFixed(1)} ms`,
      )
      if (atOnce === 1) {
        rows.push({
          name: 'whole run, one at a time, p50, in ms',
          ratio: p50(wholeRuns),
          bound: { atMost: 12 },
          detail: `one INSERT ${p50(inserts).toFixed(2)} ms; ${cpu}`,
        })
        continue
      }
      rows.push(
        {
          name: `whole run, ${atOnce} at once, against one INSERT`,
          ratio: medianRatioOf(wholeRuns, inserts, 'perSecond'),
          bound: { atLeast: 0.12 },
          detail: `${per(wholeRuns)}, p50 ${p50(wholeRuns).toFixed(1)} ms, against ${per(inserts)}; ${cpu}`,
        },
        {
          name: `whole run, ${atOnce} at once, against a job of graphile-worker`,
          ratio: medianRatio(valuesOf(wholeRuns, 'perSecond'), jobs),
          bound: { atLeast: 0.6 },
          detail: `${per(wholeRuns)} against ${Math.round(median(jobs))}/s`,
        },
      )
      if (atOnce === 64)
        rows.push(
          {
            name: 'PostgreSQL: CPU of a whole run, 64 at once, in ms',
            ratio: medianOf(wholeRuns, 'postgresMs'),
            bound: { atMost: 1 },
            detail: cpu,
          },
          {
            name: 'gateway: CPU of a whole run, 64 at once, in ms',
            ratio: medianOf(wholeRuns, 'gatewayMs'),
            bound: { atMost: 0.8 },
            detail: cpu,
          },
        )
    }
    return { rows, notes }
  } finally {
    await Promise.all([server.stop(), embedded.stop(), insert.end(), queue.end()])
    await rm(folder, { recursive: true, force: true })
  }
}
