import { parseArgs } from 'node:util'
import type { ServerConfig } from '../kit/config/server-config.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import type { SuiteReport } from '../report/suite-report.ts'
import { renderExplanation, renderFindings } from '../report/terminal.ts'
import { runSuite } from '../run/run-suite.ts'
import { listenForInterrupts } from './interrupts.ts'
import { parseOrigin } from './parse-origin.ts'
import { createProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { TRY_CHECKS } from './try-checks.ts'

const USAGE = `Usage: gateway-conformance try <origin> --key <key> --service <id> [options]

A first verdict on a gateway without a configuration: runs the checks that need only one key and one service. It does not delete
the conversations that it creates. \`gateway-conformance init\` prepares a complete run.

  <origin>             the gateway's origin, without /api/v1
  --key <key>          an application key with all four scopes; also GATEWAY_KEY
  --service <id>       a published service of the application, with any assistant
  --subject <subject>  prefix of the used subjects. Default: try
  --explain            prints the requests and answers of each failed check
  -h, --help           prints this text

Exit codes: 0 no fault found; 1 a MUST is broken; 2 wrong usage, or the gateway does not answer.
`

/** Long enough for a gateway on another continent. A working gateway needs much less. */
const DEADLINES = { settleMs: 10_000, answerMs: 10_000 }

/**
 * Runs `gateway-conformance try`.
 * @throws {UsageError} wrong usage.
 * @throws {SystemAbsentError} the system does not answer.
 */
export async function runTryCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string', ...(process.env.GATEWAY_KEY === undefined ? {} : { default: process.env.GATEWAY_KEY }) },
      service: { type: 'string' },
      subject: { type: 'string', default: 'try' },
      explain: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const { key, service, subject } = values
  const url = parseOrigin(positionals)
  if (url === null) throw new UsageError(`try requires one origin, such as https://gateway.example.com.\n\n${USAGE}`)
  if (key === undefined || service === undefined)
    throw new UsageError(`${key === undefined ? '--key' : '--service'} is missing.\n\n${USAGE}`)
  const config: ServerConfig = {
    baseUrl: url.origin,
    // None of these checks needs a second application.
    apps: { first: { key }, second: { key: 'none' } },
    subjects: { first: `${subject}-a`, second: `${subject}-b` },
    services: { main: service, foreign: 'ep_none' },
    deadlines: DEADLINES,
  }
  const interrupts = listenForInterrupts(terminal.log)
  try {
    const report = await runSuite({
      target: 'server',
      config,
      profile: 'core',
      requirements: 'all',
      checks: TRY_CHECKS,
      keepTranscripts: values.explain,
      signal: interrupts.signal,
      onProgress: createProgress(),
    })
    if (values.explain)
      for (const check of report.checks) if (check.status === 'failed') terminal.print(`${renderExplanation(check)}\n`)
    terminal.print(renderFindings(report))
    terminal.print(conclude(report))
    return interrupts.exitCode() ?? (report.counts.failed > 0 ? 1 : 0)
  } finally {
    interrupts.release()
  }
}

/** Not a verdict on conformance, which requires all checks. */
const conclude = ({ checks, counts, durationMs }: SuiteReport): string =>
  `${counts.passed} of ${checks.length} checks passed, ${counts.failed} failed (${(durationMs / 1000).toFixed(1)} s). ` +
  'The other checks require a configuration: gateway-conformance init\n'
