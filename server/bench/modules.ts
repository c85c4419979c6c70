import { join } from 'node:path'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { Row } from './support/ratios.ts'
import { median } from './support/ratios.ts'
import type { RunLoadResult } from './support/run-load.ts'
import { BOOTSTRAP, runLoad, startRunServer } from './whole-run.ts'

const MODULE = {
  endpoint_id: 'ep_module',
  app_id: 'app_bench',
  device_id: 'dev_bench',
  assistant: { type: 'module' as const, path: join(import.meta.dirname, 'support/echo-module.js') },
  accepts: [],
}

/** Whole runs of a module in its process, against the same assistant in the process of the gateway. */
export const benchModules = async (
  postgres: TestPostgres,
  { rounds, measureMs }: { readonly rounds: number; readonly measureMs: number },
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer(
    { DATABASE_URL: url },
    { ...BOOTSTRAP, endpoints: [...BOOTSTRAP.endpoints, MODULE] },
  )
  const measure = async (atOnce: number) => {
    const isolated: RunLoadResult[] = []
    const inProcess: RunLoadResult[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`modules, ${atOnce} at once, round ${round + 1} of ${rounds}`)
      inProcess.push(await runLoad(server, atOnce, measureMs))
      isolated.push(await runLoad(server, atOnce, measureMs, MODULE.endpoint_id))
    }
    return { isolated, inProcess }
  }
  const rate = (results: readonly RunLoadResult[]) => median(results.map(({ perSecond }) => perSecond))
  const p50 = (results: readonly RunLoadResult[]) => median(results.map(({ p50Ms }) => p50Ms))
  try {
    const one = await measure(1)
    const many = await measure(64)
    return [
      {
        name: 'isolated module, 64 at once, against in the process',
        ratio: median(
          many.isolated.map(({ perSecond }, round) => perSecond / (many.inProcess[round]?.perSecond ?? Number.NaN)),
        ),
        bound: { atLeast: 0.6 },
        detail: `${Math.round(rate(many.isolated))}/s against ${Math.round(rate(many.inProcess))}/s`,
      },
      {
        name: 'isolated module, one at a time, p50 beyond in the process, in ms',
        ratio: p50(one.isolated) - p50(one.inProcess),
        bound: { atMost: 2 },
        detail: `${p50(one.isolated).toFixed(2)} ms against ${p50(one.inProcess).toFixed(2)} ms`,
      },
    ]
  } finally {
    await server.stop()
  }
}
