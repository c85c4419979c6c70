import type { Row } from '../bench/support/ratios.ts'
import { attackWithRuns } from './crowding-rows.ts'
import type { Effort } from './effort.ts'
import { attackWithBodies } from './hostile-body-rows.ts'
import { attackWithReads } from './large-read-rows.ts'
import { attackLockedRow } from './locked-row-rows.ts'
import { countFaultsInOutages } from './outage-rows.ts'
import { measureRequestCost } from './request-cost-rows.ts'
import { timeNextMessageAfterRestart, timeStreamsAfterRestart } from './restart-rows.ts'
import type { DatabaseKind, Scene } from './scene.ts'
import { startScene } from './scene.ts'

export const PARTS = ['bodies', 'reads', 'crowding', 'locks', 'costs', 'restarts', 'outages'] as const
export type Part = (typeof PARTS)[number]

export interface AttackOptions {
  /** A PostgreSQL server that flushes commits to the disk. */
  readonly serverUrl: string
  readonly databases: readonly DatabaseKind[]
  readonly parts: readonly Part[]
  readonly effort: Effort
  readonly onProgress: (line: string) => void
  readonly onRow: (row: Row) => void
}

/** Shorter than the default, so that the measurement takes less than a minute. */
const RECONCILE_SECONDS = 10
const LEASE_AND_START_SECONDS = 5

/** Runs the parts one after the other, each on its own gateway, and returns their rows. */
export const runAttack = async (options: AttackOptions): Promise<Row[]> => {
  const { serverUrl, databases, parts, effort, onProgress } = options
  const rows: Row[] = []
  const add = (...more: readonly Row[]): void => {
    for (const row of more) {
      rows.push(row)
      options.onRow(row)
    }
  }
  const attacks: Readonly<Record<Exclude<Part, 'outages'>, (scene: Scene) => Promise<void>>> = {
    bodies: async (scene) => add((await attackWithBodies(scene, effort, onProgress)).row),
    reads: async (scene) => {
      // Only the embedded database has a single connection, which all reads share.
      if (scene.kind === 'embedded') add(await attackWithReads(scene, effort))
    },
    crowding: async (scene) => add(...(await attackWithRuns(scene, effort, onProgress))),
    locks: async (scene) => {
      if (scene.databaseUrl !== null) add(await attackLockedRow(scene, effort))
    },
    costs: async (scene) => add((await measureRequestCost(scene, effort, onProgress)).row),
    restarts: async (scene) => {
      add(await timeStreamsAfterRestart(scene))
      add(
        await timeNextMessageAfterRestart(
          scene,
          scene.kind === 'embedded' ? LEASE_AND_START_SECONDS : RECONCILE_SECONDS + LEASE_AND_START_SECONDS,
        ),
      )
    },
  }
  for (const kind of databases)
    for (const part of parts) {
      onProgress(`${kind}: ${part}`)
      if (part === 'outages') {
        add(...(await countFaultsInOutages(kind, effort, onProgress)))
        continue
      }
      const settings = part === 'restarts' ? { GATEWAY_RECONCILE_MS: String(RECONCILE_SECONDS * 1000) } : {}
      const scene = await startScene(kind === 'postgres' ? { kind, serverUrl } : { kind }, settings)
      try {
        await attacks[part](scene)
      } finally {
        await scene.close()
      }
    }
  return rows
}
