/** Kills the primary of a PostgreSQL with a synchronous standby under load, and promotes the standby: `pnpm failover [rounds]`. */
import { debianPostgres } from '../support/debian-packages.ts'
import { failOverRepeatedly } from './failover-run.ts'

const HELP = `pnpm failover [rounds]

Rounds are failovers; default 10. Needs Debian's packages postgresql, which root installs by it where it is missing. Exits 1
when anything admitted was lost, done twice or told untruly, or a request was answered with 500.`

const [rounds = '10', ...more] = process.argv.slice(2)
if (!/^\d+$/.test(rounds) || more.length > 0) {
  console.log(HELP)
  process.exit(rounds === '--help' ? 0 : 2)
}

const { faults, answers, outagesMs, promotionsMs, ...counts } = await failOverRepeatedly(
  debianPostgres(),
  Number(rounds),
  (line) => console.log(line),
)
console.table(counts)
console.log('answers by status', answers)
console.log('standby promoted after, in ms', promotionsMs.map(Math.round).join(', '))
console.log('first 202 after, in ms', outagesMs.map(Math.round).join(', '))
for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
process.exitCode = faults.length === 0 && counts.internalErrors === 0 ? 0 : 1
