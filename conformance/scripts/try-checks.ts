/**
 * Runs checks against the reference gateway while they are being written:
 *   node conformance/scripts/try-checks.ts <file with checks> [--core] [--explain] [--rule IDEM-03] [--check text] [--postgres URL] [--gateway dir]
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startReferenceGateway } from '../src/reference/index.ts'
import type { CheckRun } from '../src/runner/run-check.ts'
import { runChecks } from '../src/runner/run-checks.ts'
import { createServerSystem, type ServerCheck } from '../src/targets/server/system.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    core: { type: 'boolean', default: false },
    explain: { type: 'boolean', default: false },
    rule: { type: 'string' },
    check: { type: 'string' },
    postgres: { type: 'string' },
    gateway: { type: 'string', default: resolve(import.meta.dirname, '../..') },
  },
})
const modules: { checks: readonly ServerCheck[] }[] = await Promise.all(
  positionals.map((file) => import(pathToFileURL(resolve(file)).href)),
)
const checks = modules
  .flatMap((module) => module.checks)
  .filter(({ rules }) => values.rule === undefined || rules.includes(values.rule))
  .filter(({ id }) => values.check === undefined || id.includes(values.check))
const config = await startReferenceGateway({
  gatewayDir: resolve(values.gateway),
  ...(values.postgres === undefined ? {} : { databaseUrl: values.postgres }),
})
const system = createServerSystem(config, { profile: values.core ? 'core' : 'reference' })
try {
  const onRun = ({ id, outcome, durationMs, transcript }: CheckRun): void => {
    const why = outcome.kind === 'failed' ? outcome.message : outcome.kind === 'passed' ? '' : outcome.reason
    console.log(`${outcome.kind.padEnd(10)} ${id} (${durationMs} ms) ${why}`)
    if (values.explain)
      for (const { elapsedMs, direction, text } of transcript) console.log(`--- ${elapsedMs} ms ${direction}\n${text}`)
  }
  const runs = await runChecks(checks, system, { onRun })
  const failed = runs.filter(({ outcome }) => outcome.kind !== 'passed').length
  console.log(`${runs.length} checks, ${failed} not passed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await system.stop()
}
