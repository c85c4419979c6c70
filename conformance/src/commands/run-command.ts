import { UsageError } from '../kit/config/usage-error.ts'
import { SystemAbsentError } from '../kit/system.ts'
import { SUITE_VERSION } from '../run/version.ts'
import { runDoctorCommand } from './doctor-command.ts'
import { runExportCommand } from './export-command.ts'
import { runFaultProxyCommand } from './fault-proxy-command.ts'
import { runInitCommand } from './init-command.ts'
import { runReportCommand } from './report-command.ts'
import { runSuiteCommand } from './suite-command.ts'
import type { Terminal } from './terminal.ts'
import { runTryCommand } from './try-command.ts'

const USAGE = `Usage: gateway-conformance <command> [options]

  server       checks a gateway
  client       checks a client SDK, through an adapter
  receiver     checks a receiver of callbacks
  worker       checks a worker, which executes the runs of a device
  try          a first verdict on a gateway, with one key and no configuration
  doctor       examines a deployment: TLS, clock, proxies that buffer, pings, limits, resume
  fault-proxy  a proxy that loses, cuts and delays answers, to test a client manually
  init         writes a commented configuration for server
  report       compares, verifies or summarizes JSON reports
  export       prints topics, rules, checks and abilities as JSON

gateway-conformance <command> --help explains a command. --version prints the suite's version.
`

/**
 * Runs a command line and resolves with its exit code. Wrong usage and an absent system give exit code 2, not an
 * exception.
 */
export async function runCommand([command, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  try {
    switch (command) {
      case 'server':
      case 'client':
      case 'receiver':
      case 'worker':
        return await runSuiteCommand(command, args, terminal)
      case 'try':
        return await runTryCommand(args, terminal)
      case 'doctor':
        return await runDoctorCommand(args, terminal)
      case 'fault-proxy':
        return await runFaultProxyCommand(args, terminal)
      case 'init':
        return await runInitCommand(args, terminal)
      case 'report':
        return await runReportCommand(args, terminal)
      case 'export':
        return await runExportCommand(args, terminal)
      case '--version':
        terminal.print(`${SUITE_VERSION}\n`)
        return 0
      case '--help':
      case '-h':
        terminal.print(USAGE)
        return 0
      case undefined:
        throw new UsageError(`A command is missing.\n\n${USAGE}`)
      default:
        throw new UsageError(`There is no command ${command}.\n\n${USAGE}`)
    }
  } catch (error) {
    if (!isReportedByMessage(error)) throw error
    terminal.log(`${error.message}\n`)
    return 2
  }
}

/** Errors reported by their message alone: wrong usage and an absent system. */
const isReportedByMessage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof SystemAbsentError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
