import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadChecks } from '../../src/checks/load-checks.ts'
import type { WorkerConfig } from '../../src/kit/config/worker-config.ts'
import { startWorkerSystem } from '../../src/kit/worker/system.ts'
import { loadWorker } from '../../src/run/load-worker.ts'
import { runChecks } from '../../src/run/run-checks.ts'

const workerChecks = await loadChecks('worker')

const PYTHON = fileURLToPath(new URL('python.config.mjs', import.meta.url))
/** Opens a session and does nothing else. */
const IDLE = `
  const { GATEWAY_BASE_URL: url, GATEWAY_DEVICE_KEY: key } = process.env
  fetch(url + '/worker/v1/sessions', {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'idle', slots: 1 }),
  })
  setInterval(() => {}, 1000)
`

const examine = async (config: WorkerConfig) => {
  const system = startWorkerSystem(config)
  const runs = await runChecks(workerChecks, system)
  return runs.map(({ id, outcome }) => ({ id, ...outcome }))
}

describe('the worker target', () => {
  it.each([
    ['of the SDK', 'sdk'],
    ['in Python', PYTHON],
  ])(
    'finds nothing wrong with the worker %s',
    async (_what, config) => {
      const runs = await examine(await loadWorker(config))
      expect(runs.filter(({ kind }) => kind !== 'passed')).toEqual([])
      expect(runs.length).toBe(workerChecks.length)
    },
    300_000,
  )

  it('passes no check of a worker that does nothing', async () => {
    const command = [process.execPath, '--eval', IDLE] as const
    const runs = await examine({ command, concurrency: 8, deadlines: { stepMs: 5000 } })
    expect(runs.filter(({ kind }) => kind !== 'failed')).toEqual([])
  }, 300_000)
})
