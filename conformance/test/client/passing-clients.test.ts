import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { clientChecks } from '../../src/cases/client/index.ts'
import { runChecks } from '../../src/runner/run-checks.ts'
import { loadClient } from '../../src/targets/client/load-client.ts'
import { startClientSystem } from '../../src/targets/client/system.ts'

/** What did not pass, and why. */
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
    throw new Error(`The Python adapter needs python3, 3.9 or later (Debian: apt install python3). ${error ?? ''}`)
}

describe('the client target', () => {
  it('finds nothing wrong with the SDK, which can do everything', async () => {
    await expect(examine('sdk')).resolves.toEqual({ passed: clientChecks.length, untestable: [], failed: [] })
  }, 300_000)

  it('finds nothing wrong with the Python example in what it can do', async () => {
    demandPython()
    const { passed, untestable, failed } = await examine('python')
    expect(failed).toEqual([])
    const missing: readonly string[] = ['follow_conversation', 'recover', 'outbox']
    const lacking = clientChecks.filter(({ needs = [] }) => needs.some((need) => missing.includes(need)))
    expect(untestable.toSorted()).toEqual(lacking.map(({ id }) => id).toSorted())
    expect(passed).toBe(clientChecks.length - lacking.length)
  }, 300_000)
})
