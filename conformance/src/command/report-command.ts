import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { UsageError } from '../config/load-config.ts'
import { listAllChecks } from '../list-all-checks.ts'
import { renderBadge } from '../report/badge.ts'
import { diffReports, renderDiff } from '../report/diff.ts'
import { type KeptReport, readReport } from '../report/read-report.ts'
import { signReport } from '../report/signature.ts'
import { toSubmission } from '../report/submission.ts'
import { renderSupportTable } from '../report/support-table.ts'
import { verifyReport } from '../report/verify.ts'
import { CONTRACT_SHA256, hashSuite } from '../version.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Usage: gateway-conformance report diff <before.json> <after.json> [--json]
       gateway-conformance report badge <report.json>
       gateway-conformance report table <report.json>...
       gateway-conformance report verify <report.json> [--public-key <file>]
       gateway-conformance report sign <report.json> --key <file>
       gateway-conformance report submit <report.json> --name <name> --language <language> [--url <url>]

Reads what --report-json wrote, and prints to standard output.
  diff     the checks whose verdict changed
  badge    an SVG for a README
  table    a table of at most 30 lines in Markdown for a README: topics by reports
  verify   computes verdict and hashes anew from the checks, and says what does not agree
  sign     the report with a signature of Ed25519 (openssl genpkey -algorithm ed25519 makes a key)
  submit   what the collection of results keeps of a report: no transcripts, and whom it is about

  --json               the differences as JSON
  --public-key <file>  PEM; the report has to be signed by this key
  --key <file>         PEM of the private key
  --help               prints this text

Exit codes: 0 nothing is broken that was not before, and everything agrees; 1 otherwise; 2 wrong usage.
`

const OPTIONS = {
  json: { type: 'boolean', default: false },
  'public-key': { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  language: { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

interface Action {
  /** The fewest and most reports that it takes. */
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
  sign: {
    takes: [1, 1],
    run: printed(async ([report], { key }) => {
      if (key === undefined) throw new UsageError('sign wants --key, a file with the private key.')
      const signature = await usingKey(key, (pem) => signReport(report, pem))
      return toJson({ ...report, signature })
    }),
  },
  submit: {
    takes: [1, 1],
    run: printed(async ([report], { name, language, url }) => {
      if (name === undefined || language === undefined) throw new UsageError('submit wants --name and --language.')
      return toJson(toSubmission({ name, language, url: url ?? null }, report))
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

/** An action that prints what it makes of the reports. */
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

async function verify([file = '']: readonly string[], values: Values, print: Terminal['print']) {
  const report = await readReport(file)
  const keyFile = values['public-key']
  const options = {
    catalogue: await listAllChecks(),
    suiteSha256: await hashSuite(),
    contractSha256: CONTRACT_SHA256,
  }
  const { faults, remarks } =
    keyFile === undefined
      ? verifyReport(report, options)
      : await usingKey(keyFile, (publicKey) => verifyReport(report, { ...options, publicKey }))
  const { subject, target, requirements, profile, conformant } = report
  const verdict = `${subject}: ${target}, ${requirements?.name ?? profile}: ${conformant ? 'conformant' : 'not conformant'}`
  print(`${[...faults.map((fault) => `FAULT: ${fault}`), ...remarks, verdict].join('\n')}\n`)
  return faults.length > 0 ? 1 : 0
}

/** @throws {UsageError} the file cannot be read, or its content is no key that serves. */
async function usingKey<Result>(file: string, use: (pem: string) => Result): Promise<Result> {
  const pem = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The key ${file} cannot be read.`)
  })
  try {
    return use(pem)
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
