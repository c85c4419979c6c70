import { parseArgs } from 'node:util'
import { listAllChecks } from '../checks/list-all-checks.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import { renderBadge } from '../report/badge.ts'
import { diffReports, renderDiff } from '../report/diff.ts'
import { type KeptReport, readReport } from '../report/read-report.ts'
import { toRecord } from '../report/record.ts'
import { renderSupportTable } from '../report/support-table.ts'
import { describeJudgement } from '../report/verdict.ts'
import { verifyReport } from '../report/verify.ts'
import { CONTRACT_SHA256, hashSuite } from '../run/version.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Usage: gateway-conformance report diff <before.json> <after.json> [--json]
       gateway-conformance report badge <report.json>
       gateway-conformance report table <report.json>...
       gateway-conformance report verify <report.json>
       gateway-conformance report record <report.json> --name <name> --language <language> --version <version> [--url <url>]

Reads reports of --report-json, and prints to standard output.
  diff     the checks whose status changed
  badge    an SVG for a README
  table    a table of at most 30 lines in Markdown for a README: topics by reports
  verify   recomputes verdict and hashes from the checks, and lists contradictions
  record   a small record of a report for conformance/results: the implementation, and the checks that did not pass

  --json                 prints the differences as JSON
  --version <version>    the release or commit of the implementation that was examined
  --help                 prints this text

Exit codes: 0 no new failure and no contradiction; 1 otherwise; 2 wrong usage.
`

const OPTIONS = {
  json: { type: 'boolean', default: false },
  name: { type: 'string' },
  language: { type: 'string' },
  version: { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

interface Action {
  /** The minimum and maximum number of reports. */
  readonly takes: readonly [number, number]
  run(files: readonly string[], values: Values, print: Terminal['print']): Promise<0 | 1>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  diff: { takes: [2, 2], run: diff },
  badge: { takes: [1, 1], run: printed(async ([report]) => renderBadge(report)) },
  table: {
    takes: [1, Number.POSITIVE_INFINITY],
    run: printed(async (reports) => renderSupportTable(reports, await listAllChecks())),
  },
  verify: { takes: [1, 1], run: verify },
  record: {
    takes: [1, 1],
    run: printed(async ([report], { name, language, version, url }) => {
      if (name === undefined || language === undefined || version === undefined)
        throw new UsageError('report record needs --name, --language and --version.')
      return toJson(toRecord({ name, language, url: url ?? null, version }, report))
    }),
  },
}

/** Runs `gateway-conformance report`. @throws {UsageError} wrong usage, or files that are no reports. */
export async function runReportCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const [name = '', ...files] = positionals
  const action = ACTIONS[name]
  const [fewest, most] = action?.takes ?? [0, 0]
  if (action === undefined || files.length < fewest || files.length > most) throw new UsageError(USAGE)
  return action.run(files, values, terminal.print)
}

/** An action that prints its result for the reports. */
function printed(render: (reports: readonly [KeptReport, ...KeptReport[]], values: Values) => Promise<string>) {
  return async ([first, ...files]: readonly string[], values: Values, print: Terminal['print']): Promise<0> => {
    print(await render([await readReport(first ?? ''), ...(await Promise.all(files.map(readReport)))], values))
    return 0
  }
}

async function diff([first = '', second = '']: readonly string[], { json }: Values, print: Terminal['print']) {
  const [before, after] = await Promise.all([readReport(first), readReport(second)])
  if (before.target !== after.target || before.profile !== after.profile)
    throw new UsageError(
      `${first} is about ${before.target}, ${before.profile}; ${second} about ${after.target}, ${after.profile}.`,
    )
  const found = diffReports(before, after)
  print(json ? toJson(found) : renderDiff(found))
  return found.broken.length > 0 ? 1 : 0
}

async function verify([file = '']: readonly string[], _values: Values, print: Terminal['print']) {
  const report = await readReport(file)
  const { faults, remarks } = verifyReport(report, {
    catalogue: await listAllChecks(),
    suiteSha256: await hashSuite(),
    contractSha256: CONTRACT_SHA256,
  })
  const { subject, target, requirements, profile } = report
  const verdict = `${subject}: ${target}, ${requirements?.name ?? profile}: ${describeJudgement(report)}`
  print(`${[...faults.map((fault) => `FAULT: ${fault}`), ...remarks, verdict].join('\n')}\n`)
  return faults.length > 0 ? 1 : 0
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
