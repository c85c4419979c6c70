/**
 * Writes the requirement sets of a date from the current checks: `node conformance/scripts/freeze-requirements.ts
 * 2027-06`. An existing set is never changed: later checks are part of the next set.
 */
import { writeFile } from 'node:fs/promises'
import contract from '#openapi/gateway.json' with { type: 'json' }
import { listAllChecks, TARGETS } from '../src/checks/list-all-checks.ts'

const [date = ''] = process.argv.slice(2)
if (!/^\d{4}-\d{2}$/.test(date)) {
  console.error('Usage: node conformance/scripts/freeze-requirements.ts <year>-<month>')
  process.exit(2)
}
const all = await listAllChecks()
for (const profile of ['core', 'reference'] as const) {
  const counted = all.filter((check) => profile === 'reference' || check.profile === 'core')
  const idsOf = (target: string): string[] =>
    counted
      .filter((check) => check.target === target)
      .map(({ id }) => id)
      .toSorted()
  const set = {
    name: `${profile}-${date}`,
    profile,
    contractVersion: contract.info.version,
    checks: Object.fromEntries(TARGETS.map((target) => [target, idsOf(target)])),
  }
  const file = new URL(`../src/report/${set.name}.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify(set, null, 2)}\n`, { flag: 'wx' })
}
