import type { TestPostgres } from '../test/support/databases/postgres.ts'
import type { Contender } from './support/contender.ts'
import { measure, startContender } from './support/contender.ts'
import type { LoadResult } from './support/load-generator.ts'
import type { Effort, Row } from './support/ratios.ts'
import { medianOf, medianRatioOf } from './support/ratios.ts'

const describe = (results: readonly LoadResult[]): string =>
  `${Math.round(medianOf(results, 'perSecond'))}/s, p50 ${medianOf(results, 'p50Ms').toFixed(1)} ms, p99 ${medianOf(results, 'p99Ms').toFixed(1)} ms`

const versus = (above: readonly LoadResult[], below: readonly LoadResult[]): string =>
  `${describe(above)}; against ${describe(below)}`

const benchAlone = async (
  gateway: Contender,
  insert: Contender,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row> => {
  const seen = { gateway: [] as LoadResult[], insert: [] as LoadResult[] }
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`admission, one at a time, round ${round + 1} of ${rounds}`)
    seen.insert.push(await measure(insert, 1, measureMs))
    seen.gateway.push(await measure(gateway, 1, measureMs))
  }
  return {
    name: 'admission, one at a time, p50, against one INSERT',
    ratio: medianRatioOf(seen.gateway, seen.insert, 'p50Ms'),
    bound: { atMost: 1.3 },
    detail: versus(seen.gateway, seen.insert),
  }
}

const SLOWER_FLUSH_MS = 1

const benchSlowDisk = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const gateway = await startContender(postgres, 'gateway', { wakeOthers: true, flushMs: SLOWER_FLUSH_MS })
  const insert = await startContender(postgres, 'insert', { flushMs: SLOWER_FLUSH_MS })
  try {
    const seen = { gateway: [] as LoadResult[], insert: [] as LoadResult[] }
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`admission on a slow disk, round ${round + 1} of ${rounds}`)
      seen.insert.push(await measure(insert, 64, measureMs))
      seen.gateway.push(await measure(gateway, 64, measureMs))
    }
    return [
      {
        name: `admission, 64 connections, each flush ${SLOWER_FLUSH_MS} ms slower, against one INSERT`,
        ratio: medianRatioOf(seen.gateway, seen.insert, 'perSecond'),
        bound: { atLeast: 1 },
        detail: versus(seen.gateway, seen.insert),
      },
    ]
  } finally {
    await gateway.end()
    await insert.end()
  }
}

/**
 * Admissions on PostgreSQL: against one INSERT, also on a slow disk and to one conversation; against an interactive
 * transaction; with wake-ups against without.
 */
export const benchAdmission = async (
  postgres: TestPostgres,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { rounds, measureMs } = effort
  const gateway = await startContender(postgres, 'gateway', { wakeOthers: true })
  const silent = await startContender(postgres, 'gateway')
  const insert = await startContender(postgres, 'insert')
  const interactive = await startContender(postgres, 'interactive')
  const all = [gateway, silent, insert, interactive]
  try {
    const rows: Row[] = await benchSlowDisk(postgres, effort, onProgress)
    rows.push(await benchAlone(gateway, insert, effort, onProgress))
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
        if (connections === 32) seen.hot.push(await measure(gateway, connections, measureMs, { hot: true }))
      }
      rows.push(
        {
          name: `admission, ${connections} connections, against one INSERT`,
          ratio: medianRatioOf(seen.gateway, seen.insert, 'perSecond'),
          bound: { atLeast: 0.9 },
          detail: versus(seen.gateway, seen.insert),
        },
        {
          name: `admission, ${connections} connections, against an interactive transaction`,
          ratio: medianRatioOf(seen.gateway, seen.interactive, 'perSecond'),
          bound: { atLeast: 2 },
          detail: versus(seen.gateway, seen.interactive),
        },
        {
          name: `admission, ${connections} connections, wake-ups on against off`,
          ratio: medianRatioOf(seen.gateway, seen.silent, 'perSecond'),
          bound: { atLeast: 0.85 },
          detail: versus(seen.gateway, seen.silent),
        },
      )
      if (connections === 32)
        rows.push({
          name: 'admission, all to one conversation, 32 connections, against one INSERT',
          ratio: medianRatioOf(seen.hot, seen.insert, 'perSecond'),
          bound: { atLeast: 0.5 },
          detail: versus(seen.hot, seen.insert),
        })
    }
    return rows
  } finally {
    for (const contender of all) await contender.end()
  }
}
