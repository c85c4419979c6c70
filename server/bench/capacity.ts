import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createPgDb } from '../src/store/drivers/pg.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import { type Footprint, measureFootprint } from './footprint.ts'
import { measure, startContender } from './support/contender.ts'
import type { Effort } from './support/ratios.ts'
import { medianOf } from './support/ratios.ts'
import { measureWholeRuns, startRunServer, type WholeRuns } from './whole-run.ts'

/** The file with the figures of the guide to capacity. */
const FILE = fileURLToPath(new URL('../../docs/capacity.json', import.meta.url))
const WRITE_GUIDE = fileURLToPath(new URL('../../docs/src/write-capacity-figures.ts', import.meta.url))
const GIB = 1024 ** 3
const CONNECTIONS = 64
const AT_ONCE = [1, 16, 64] as const

interface Machine {
  readonly date: string
  readonly processor: string
  readonly processors: number
  readonly memoryGiB: number
  readonly node: string
  readonly postgres: string
  /** The machine's load average over five minutes, read before the measurement. */
  readonly otherLoad: number
}

export interface Capacity {
  readonly machine: Machine
  readonly admission: { readonly connections: number; readonly perSecond: number; readonly p50Ms: number }
  readonly runs: readonly (Pick<WholeRuns, 'perSecond' | 'p50Ms' | 'postgresMs' | 'gatewayMs'> & {
    readonly atOnce: number
  })[]
  readonly footprint: Omit<Footprint, 'queuedRunKiB'>
}

/** Measures one gateway process beside its PostgreSQL on this machine, and writes the figures for the guide. */
export const writeCapacity = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<string> => {
  const capacity: Capacity = {
    machine: await describeMachine(postgres),
    admission: await measureAdmission(postgres, effort, onProgress),
    runs: await measureRuns(postgres, effort, onProgress),
    footprint: withoutQueue(await measureFootprint(postgres, onProgress)),
  }
  await writeFile(FILE, `${JSON.stringify(capacity, roundNumbers, 2)}\n`)
  execFileSync(process.execPath, [WRITE_GUIDE])
  return `written to ${FILE} and the guide to capacity`
}

/** Omits the memory per queued run: queued runs are in the database, so their effect on a process's memory is noise. */
const withoutQueue = ({ queuedRunKiB: _, ...footprint }: Footprint): Capacity['footprint'] => footprint

const describeMachine = async ({ url }: TestPostgres): Promise<Machine> => {
  const db = createPgDb({ url, poolSize: 1 })
  const [row] = await db.query<{ version: string }>(
    { name: 'bench_version', access: 'read', text: `select current_setting('server_version') as version` },
    [],
  )
  await db.close()
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: cpus().length,
    memoryGiB: totalmem() / GIB,
    node: process.versions.node,
    postgres: row?.version ?? 'unknown',
    otherLoad: loadavg()[1] ?? Number.NaN,
  }
}

const measureAdmission = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Capacity['admission']> => {
  const gateway = await startContender(postgres, 'gateway', { wakeOthers: true })
  try {
    const seen = await repeat(rounds, (round) => {
      onProgress(`admission, round ${round} of ${rounds}`)
      return measure(gateway, CONNECTIONS, measureMs)
    })
    return { connections: CONNECTIONS, perSecond: medianOf(seen, 'perSecond'), p50Ms: medianOf(seen, 'p50Ms') }
  } finally {
    await gateway.end()
  }
}

const measureRuns = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Capacity['runs']> => {
  const server = await startRunServer({ DATABASE_URL: (await createDatabase(postgres.url)).url })
  const runs: Capacity['runs'][number][] = []
  try {
    for (const atOnce of AT_ONCE) {
      const seen = await repeat(rounds, (round) => {
        onProgress(`whole runs, ${atOnce} at once, round ${round} of ${rounds}`)
        return measureWholeRuns(postgres, server, atOnce, measureMs)
      })
      runs.push({
        atOnce,
        perSecond: medianOf(seen, 'perSecond'),
        p50Ms: medianOf(seen, 'p50Ms'),
        postgresMs: medianOf(seen, 'postgresMs'),
        gatewayMs: medianOf(seen, 'gatewayMs'),
      })
    }
    return runs
  } finally {
    await server.stop()
  }
}

const repeat = async <T>(rounds: number, once: (round: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let round = 1; round <= rounds; round += 1) results.push(await once(round))
  return results
}

/** Rounds to three significant digits; further digits would be noise. */
const roundNumbers = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(3)) : value
