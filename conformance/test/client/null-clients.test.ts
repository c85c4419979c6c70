import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { loadChecks } from '../../src/checks/load-checks.ts'
import { startClientSystem } from '../../src/kit/client/system.ts'
import { runChecks } from '../../src/run/run-checks.ts'

const clientChecks = await loadChecks('client')

/** All abilities that a check can need. */
const ABILITIES = [...new Set(clientChecks.flatMap(({ needs = [] }) => needs))]
const NULL_CLIENT = fileURLToPath(new URL('../../broken/client/null-client.ts', import.meta.url))

it.each([
  ['never answers', 'silent'],
  ['reports success for everything', 'agreeing'],
  ['refuses everything', 'refusing'],
])(
  'a client that %s passes nothing',
  async (_what, kind) => {
    const system = await startClientSystem({
      command: [process.execPath, NULL_CLIENT, kind, ...ABILITIES],
      concurrency: 16,
      // No events arrive, so the waits can be short.
      deadlines: { stepMs: 100 },
    })
    try {
      const runs = await runChecks(clientChecks, system)
      expect(runs.filter(({ outcome }) => outcome.kind !== 'failed').map(({ id }) => id)).toEqual([])
    } finally {
      await system.stop()
    }
  },
  300_000,
)
