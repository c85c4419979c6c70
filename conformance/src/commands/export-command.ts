import { parseArgs } from 'node:util'
import { listAllChecks } from '../checks/list-all-checks.ts'
import { ABILITIES } from '../kit/config/abilities.ts'
import { RULES, TOPICS } from '../kit/rules.ts'
import { CONTRACT_SHA256, SUITE_VERSION } from '../run/version.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Usage: gateway-conformance export

Prints topics, rules, checks with their requirements, and the abilities of the control protocol as JSON, for other
runners and reports. It runs no check.
`

/** Runs `gateway-conformance export`. */
export async function runExportCommand(args: readonly string[], terminal: Terminal): Promise<0> {
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h', default: false } } })
  if (values.help) terminal.print(USAGE)
  else
    terminal.print(
      `${JSON.stringify(
        {
          suiteVersion: SUITE_VERSION,
          contractSha256: CONTRACT_SHA256,
          topics: TOPICS,
          rules: [...RULES.values()],
          checks: await listAllChecks(),
          abilities: Object.keys(ABILITIES),
        },
        null,
        2,
      )}\n`,
    )
  return 0
}
