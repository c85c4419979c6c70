/** Attacks a gateway as a hostile tenant would, and measures the effect on another tenant: `npm run attack`. */
import { formatRow, holds } from '../bench/support/ratios.ts'
import { startPostgres } from '../test/support/databases/postgres.ts'
import { FULL, QUICK } from './effort.ts'
import { PARTS, runAttack } from './run-attack.ts'

const HELP = `npm run attack -- [--quick] [${PARTS.join('|')} …] [postgres|embedded]

Measures on both databases, or on the given one: the effect of an attacker on a small tenant, the cost of a hostile
request, how soon a gateway recovers after a kill, and what it answers while its database is unavailable. Measures all
parts unless you name some. --quick measures for a short time: it proves that the program works, but its times are not
valid. Needs Linux. The part "outages" needs root: it fills a small disk, and installs Debian's postgresql if it is
missing. Exits with 1 when a bound is missed.`

const args = process.argv.slice(2)
const databases = (['postgres', 'embedded'] as const).filter((kind) => args.includes(kind))
const parts = PARTS.filter((part) => args.includes(part))
const unknown = args.filter(
  (arg) => arg !== '--quick' && !databases.some((kind) => kind === arg) && !parts.some((part) => part === arg),
)
if (unknown.length > 0) {
  console.log(HELP)
  process.exit(args.includes('--help') ? 0 : 2)
}
const postgres = await startPostgres({ durable: true })
try {
  const rows = await runAttack({
    serverUrl: postgres.url,
    databases: databases.length === 0 ? ['postgres', 'embedded'] : databases,
    parts: parts.length === 0 ? PARTS : parts,
    effort: args.includes('--quick') ? QUICK : FULL,
    onProgress: (line) => console.error(`… ${line}`),
    onRow: (row) => console.log(formatRow(row)),
  })
  process.exitCode = rows.every(holds) ? 0 : 1
} finally {
  await postgres.stop()
}
