import { parseArgs } from 'node:util'
import { UsageError } from '../config/load-config.ts'
import { renderBadge } from '../report/badge.ts'
import { diffReports, renderDiff } from '../report/diff.ts'
import { readReport } from '../report/read-report.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `Usage: gateway-conformance report diff <before.json> <after.json>
       gateway-conformance report badge <report.json>

Reads what --report-json wrote. diff names the checks whose verdict changed; badge prints an SVG for a README.

  --json   the differences as JSON
  --help   prints this text

Exit codes: 0 no check is broken that was not before; 1 some are; 2 wrong usage.
`

/** Runs `gateway-conformance report`. @throws {UsageError} wrong usage, or files that are no reports. */
export async function runReportCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const [action, first, second, ...rest] = positionals
  if (action === 'badge' && first !== undefined && second === undefined) {
    terminal.print(renderBadge(await readReport(first)))
    return 0
  }
  if (action !== 'diff' || first === undefined || second === undefined || rest.length > 0) throw new UsageError(USAGE)
  const [before, after] = await Promise.all([readReport(first), readReport(second)])
  if (before.target !== after.target || before.profile !== after.profile)
    throw new UsageError(
      `${first} is about ${before.target}, ${before.profile}; ${second} about ${after.target}, ${after.profile}.`,
    )
  const diff = diffReports(before, after)
  terminal.print(values.json ? `${JSON.stringify(diff, null, 2)}\n` : renderDiff(diff))
  return diff.broken.length > 0 ? 1 : 0
}
