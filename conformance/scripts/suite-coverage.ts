/**
 * Fails unless every rule has a check of the suite or a reason in `suite-exclusions.yaml`, every check cites rules that exist and
 * agree, every exclusion is needed, and every operation has a check or a reason in `operations.yaml`:
 * `node conformance/scripts/suite-coverage.ts`.
 */
import { readFile } from 'node:fs/promises'
import { faultsOfChecks } from '../src/catalogue.ts'
import { listAllChecks, TARGETS } from '../src/list-all-checks.ts'
import { faultsOfOperations, parseOperationList } from '../src/rule-coverage/operation-coverage.ts'
import { coverRules, parseSuiteExclusions } from '../src/rule-coverage/suite-coverage.ts'
import { RULES } from '../src/rules.ts'
import { ALL_ROUTES } from '../src/targets/server/operations.ts'
import { listChecks } from '../src/targets/targets.ts'

const read = (file: string): Promise<string> => readFile(new URL(`../${file}`, import.meta.url), 'utf8')
const exclusions = parseSuiteExclusions(await read('suite-exclusions.yaml'))
const serverChecks = await listChecks('server', { profile: 'reference' })
const operations = ALL_ROUTES.map(({ operation }) => operation.operationId)
const faults = [
  ...(
    await Promise.all(
      TARGETS.map(async (target) => faultsOfChecks(target, await listChecks(target, { profile: 'reference' }))),
    )
  ).flat(),
  ...faultsOfOperations(
    parseOperationList(await read('operations.yaml')),
    operations,
    new Set(serverChecks.map(({ id }) => id)),
  ),
]
const { open, stale, counts } = coverRules(RULES.values(), faults.length > 0 ? [] : await listAllChecks(), exclusions)

if (faults.length === 0) {
  for (const { id, level, target, rule } of open) console.log(`open: ${id} ${level} ${target}: ${rule}`)
  for (const { rule, why } of stale) console.log(`stale exclusion: ${rule}: ${why}`)
}
for (const fault of faults) console.log(`fault: ${fault}`)
console.log(
  `${counts.rules} rules: ${counts.checked} checked by ${counts.checks} checks, ${counts.excluded} excluded, ${open.length} open; ${operations.length} operations`,
)
process.exitCode = open.length + stale.length + faults.length === 0 ? 0 : 1
