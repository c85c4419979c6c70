import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { loadChecks } from '../../src/checks/load-checks.ts'
import { startClientSystem } from '../../src/kit/client/system.ts'
import { loadClient } from '../../src/run/load-client.ts'
import { runChecks } from '../../src/run/run-checks.ts'

const clientChecks = await loadChecks('client')

/** Returns the number of passed checks, the IDs of the untestable ones, and the outcomes of the failed ones. */
const examine = async (name: 'sdk' | 'python') => {
  const system = await startClientSystem(await loadClient(name))
  try {
    const runs = await runChecks(clientChecks, system)
    const of = (kind: string) => runs.filter(({ outcome }) => outcome.kind === kind)
    return {
      passed: of('passed').length,
      untestable: of('untestable').map(({ id }) => id),
      failed: of('failed').map(({ id, outcome }) => ({ id, ...outcome })),
    }
  } finally {
    await system.stop()
  }
}

const demandPython = (): void => {
  const { status, error } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])
  if (status !== 0)
    throw new Error(`The Python client needs python3, 3.9 or later (Debian: apt install python3). ${error ?? ''}`)
}

describe('the client target', () => {
  it('the SDK passes every check and has every ability', async () => {
    await expect(examine('sdk')).resolves.toEqual({ passed: clientChecks.length, untestable: [], failed: [] })
  }, 300_000)

  it('the Python example passes every check and has every ability', async () => {
    demandPython()
    await expect(examine('python')).resolves.toEqual({ passed: clientChecks.length, untestable: [], failed: [] })
  }, 300_000)
})
