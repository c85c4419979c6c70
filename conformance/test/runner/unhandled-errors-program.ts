/**
 * Runs checks that cause unhandled rejections and exceptions, and prints the outcome of each check to standard output.
 */
import type { Check } from '../../src/kit/check.ts'
import type { System } from '../../src/kit/system.ts'
import { runCheck } from '../../src/run/run-check.ts'
import { guardProcess } from '../../src/run/unhandled-errors.ts'

const say = (line: string): unknown => process.stdout.write(`${line}\n`)
const tick = () => new Promise((resolve) => setTimeout(resolve, 20))
const BODIES: Readonly<Record<string, () => Promise<void>>> = {
  rejection: async () => {
    void Promise.reject(new Error('left behind'))
    await tick()
  },
  exception: async () => {
    setTimeout(() => {
      throw new Error('thrown in a callback')
    }, 1)
    await tick()
  },
  later: async () => {
    const early = Promise.reject(new Error('waited for later'))
    await tick()
    await early.catch(() => {})
  },
}

const session = {
  context: null,
  redact: String,
  transcript: () => [],
  waits: () => [],
  abort: () => {},
  close: async () => [],
}
const system = { capabilities: new Set(), open: async () => session } as unknown as System<null>

const release = guardProcess()
for (const [name, run] of Object.entries(BODIES)) {
  const check: Check<null> = { id: `a/${name}`, title: 'does', rules: ['GEN-01'], run }
  const { outcome } = await runCheck(check, system, { limitMs: 1000 })
  say(`${name} ${outcome.kind} ${outcome.kind === 'failed' ? outcome.message : ''}`)
}
// An error that no check has caused must still end the process.
if (process.argv.includes('foreign')) void Promise.reject(new Error("the caller's own"))
await tick()
say('still running')
release()
