/**
 * graphile-worker with its local queue, in a separate process: `node job-queue-process.ts '<QueuePlan as JSON>'`. A
 * QueueRequest from the parent starts concurrent loops: each adds a job, waits until it has completed, and adds the
 * next. The answer is the number of completed jobs per second.
 */
import { once } from 'node:events'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { Pool } from 'pg'

export interface QueuePlan {
  readonly url: string
}

export interface QueueRequest {
  readonly concurrency: number
  readonly warmupMs: number
  readonly measureMs: number
}

const plan: QueuePlan = JSON.parse(process.argv[2] ?? '{}')
const CONCURRENT_JOBS = 64
const pool = new Pool({ connectionString: plan.url, max: CONCURRENT_JOBS + 2 })
const fail = (error: unknown): void => {
  throw error
}
pool.on('error', fail).on('connect', (client) => void client.on('error', fail))
const logger = new Logger(() => () => {})
const utils = await makeWorkerUtils({ pgPool: pool, logger })
await utils.migrate()
const runner = await run({
  pgPool: pool,
  logger,
  parsedCronItems: [],
  noHandleSignals: true,
  taskList: { echo: () => {} },
  preset: { worker: { concurrentJobs: CONCURRENT_JOBS, localQueue: { size: CONCURRENT_JOBS + 1 } } },
})
const ended = new Map<unknown, () => void>()
runner.events.on('job:complete', ({ job }) => {
  const { n } = job.payload as { n: number }
  ended.get(n)?.()
  ended.delete(n)
})
let added = 0

const measure = async ({ concurrency, warmupMs, measureMs }: QueueRequest): Promise<number> => {
  const from = performance.now() + warmupMs
  const until = from + measureMs
  let completed = 0
  const loop = async (): Promise<void> => {
    while (performance.now() < until) {
      added += 1
      const n = added
      const end = new Promise<void>((resolve) => ended.set(n, resolve))
      await utils.addJob('echo', { n, text: 'the quick brown fox jumps over the dog' })
      await end
      const now = performance.now()
      if (now >= from && now < until) completed += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return completed / (measureMs / 1000)
}

process.on('message', (request: QueueRequest) => {
  void measure(request).then((perSecond) => process.send?.(perSecond))
})
console.log('{}')
await once(process, 'SIGTERM')
await runner.stop()
await utils.release()
await pool.end()
process.exit(0)
