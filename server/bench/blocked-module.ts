import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../test/support/client.ts'
import type { TestPostgres } from '../test/support/databases/postgres.ts'
import { createDatabase } from '../test/support/databases/postgres.ts'
import type { GatewayProcess } from '../test/support/gateway-process.ts'
import type { Effort, Row } from './support/ratios.ts'
import { median, percentile } from './support/ratios.ts'
import { KEY, runLoad, SUBJECT, startRunServer, withServices } from './whole-run.ts'

const SERVICE = 'ep_blocking'
const MODULE = join(import.meta.dirname, 'support/blocking-module.js')
const AT_ONCE = 4
/**
 * Allows for the noise of a p99 of a few hundred samples. A process that waited for the module would answer after
 * seconds.
 */
const NOISE = 1.5

interface Measured {
  readonly runsP99Ms: number
  readonly healthP99Ms: number
}

/** Measures other runs and `/healthz` at the same time. */
const measure = async (server: GatewayProcess, measureMs: number): Promise<Measured> => {
  let isOver = false
  const askHealth = async (): Promise<number[]> => {
    const took: number[] = []
    while (!isOver) {
      const from = performance.now()
      const response = await fetch(`${server.baseUrl}/healthz`)
      await response.text()
      if (!response.ok) throw new Error(`/healthz answered ${response.status}`)
      took.push(performance.now() - from)
      await pause(5)
    }
    return took
  }
  const health = askHealth()
  const { p99Ms } = await runLoad(server, AT_ONCE, measureMs)
  isOver = true
  return { runsP99Ms: p99Ms, healthP99Ms: percentile(await health, 0.99) }
}

/** The effect of a module that blocks its process on other runs and `/healthz`. */
export const benchBlockedModule = async (
  postgres: TestPostgres,
  { rounds, measureMs }: Effort,
  onProgress: (line: string) => void,
): Promise<Row[]> => {
  const { url } = await createDatabase(postgres.url)
  const server = await startRunServer(
    { DATABASE_URL: url },
    withServices({ endpoint_id: SERVICE, assistant: { type: 'module', path: MODULE } }),
  )
  const client = createClient({ baseUrl: server.baseUrl, key: KEY, subject: SUBJECT })
  const block = async () => {
    const { conversation_id } = (await client.createConversation({ endpoint_id: SERVICE })).body
    const { run_id } = (await client.send(conversation_id, { text: 'block' })).body
    const state = async () => (await client.run(run_id)).body.state
    while ((await state()) === 'queued') await pause(20)
    return {
      /** Waits until the module's run ends. Throws if the module has already stopped blocking. */
      end: async () => {
        if ((await state()) !== 'running') throw new Error('the module stopped blocking before the measurement ended')
        while ((await state()) === 'running') await pause(100)
      },
    }
  }
  try {
    const free: Measured[] = []
    const blocked: Measured[] = []
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`a module that blocks, round ${round + 1} of ${rounds}`)
      free.push(await measure(server, measureMs))
      const blocking = await block()
      blocked.push(await measure(server, measureMs))
      await blocking.end()
    }
    const row = (name: string, member: keyof Measured): Row => {
      const of = (measured: readonly Measured[]) => median(measured.map((each) => each[member]))
      return {
        name: `${name} while a module blocks, p99, against no module`,
        ratio: of(blocked) / of(free),
        bound: { atMost: NOISE },
        detail: `${of(blocked).toFixed(2)} ms against ${of(free).toFixed(2)} ms`,
      }
    }
    return [row('runs of another service', 'runsP99Ms'), row('/healthz', 'healthP99Ms')]
  } finally {
    await server.stop()
  }
}
