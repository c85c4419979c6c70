/**
 * Fails for a rule without proof: no check of the suite cites it, no test names it as in `it('… [IDEM-06]')`, and
 * `unproven-rules.yaml` has no reason for it. Also fails for an unknown rule in a citation, and for a reason whose rule
 * is unknown or proven.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { listAllChecks } from '../src/checks/list-all-checks.ts'
import { RULES } from '../src/kit/rules.ts'

const CITATION = /\[([A-Z]{2,}-\d+(?:, ?[A-Z]{2,}-\d+)*)\]/g
const COMMENT = /^\s*(\/\/|\/?\*)/

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'])
const citations = listed
  .toString()
  .trim()
  .split('\n')
  .filter((file) => existsSync(file))
  .flatMap((file) => citationsIn(file))
const checks = await listAllChecks()
const proven = new Set([...checks.flatMap(({ rules }) => rules), ...citations.map(({ rule }) => rule)])
const reasons = new Map<string, unknown>(
  parse(readFileSync(new URL('../unproven-rules.yaml', import.meta.url), 'utf8')).map(
    ({ rule, reason }: { rule: string; reason: unknown }) => [rule, reason],
  ),
)
const faults = [
  ...[...RULES.values()]
    .filter(({ id }) => !proven.has(id) && !reasons.get(id))
    .map(({ id, rule }) => `${id} has neither a check nor a test that names it: ${rule}`),
  ...citations
    .filter(({ rule }) => !RULES.has(rule))
    .map(({ rule, file }) => `${file} cites ${rule}, which is not a rule`),
  ...[...reasons.keys()]
    .filter((id) => !RULES.has(id) || proven.has(id))
    .map((id) => `unproven-rules.yaml: remove ${id}, which is ${RULES.has(id) ? 'proven' : 'not a rule'}`),
]
for (const fault of faults) console.log(fault)
console.log(`${RULES.size} rules, ${checks.length} checks, ${reasons.size} reasons, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

function citationsIn(file: string): { rule: string; file: string }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !COMMENT.test(line))
    .flatMap((line) => [...line.matchAll(CITATION)].flatMap(([, list = '']) => list.split(/, ?/)))
    .map((rule) => ({ rule, file }))
}
