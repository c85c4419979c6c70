import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadRules } from '@conversation-gateway/openapi/rules'
import { findCitations } from './citations.ts'
import { checkCoverage } from './coverage.ts'
import { renderCoverage } from './coverage-text.ts'
import { parseExclusions } from './exclusions.ts'

const USAGE = `Usage: node conformance/scripts/coverage.ts [options]

Checks that every rule in openapi/rules.yaml that binds the server is cited by a test, as in
  it('refuses a second body under one key [IDEM-06]', ...)
or has a stated reason in the exclusions file.

Options:
  --root <folder>      where to look for *.test.ts files (default: the workspace)
  --exclusions <file>  exclusions and deferred endpoints (default: conformance/exclusions.yaml)
  --json               print the report as JSON
  --help               print this text

Exit codes: 0 complete, 1 not complete, 2 wrong usage or unreadable input.
`

const pathTo = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** What a command line prints, and how it ends. */
export type Outcome = { readonly exitCode: 0 | 1 | 2; readonly stdout: string; readonly stderr: string }

/** Runs a command line. Wrong usage and unreadable input are outcomes (exit code 2), not exceptions. */
export async function runCommand(args: readonly string[]): Promise<Outcome> {
  try {
    return await run(args)
  } catch (error) {
    return { exitCode: 2, stdout: '', stderr: `${error instanceof Error ? error.message : String(error)}\n` }
  }
}

async function run(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      root: { type: 'string', default: pathTo('../../..') },
      exclusions: { type: 'string', default: pathTo('../../exclusions.yaml') },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { exitCode: 0, stdout: USAGE, stderr: '' }
  const report = checkCoverage({
    rules: loadRules(),
    citations: await findCitations(values.root),
    ...parseExclusions(await readFile(values.exclusions, 'utf8')),
  })
  const stdout = values.json ? `${JSON.stringify(report, null, 2)}\n` : renderCoverage(report)
  return { exitCode: report.ok ? 0 : 1, stdout, stderr: '' }
}
