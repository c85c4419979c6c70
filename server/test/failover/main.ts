/**
 * Kills the primary of a PostgreSQL with synchronous standbys under load, repeatedly:
 * `npm run failover -- [--patroni] [rounds]`.
 */
import { parseArgs } from 'node:util'
import { debianPostgres } from '../support/debian-packages.ts'
import { failOverRepeatedly } from './failover-run.ts'
import { startPatroniCluster } from './patroni/patroni-cluster.ts'
import { startServerPair } from './server-pair.ts'

const HELP = `npm run failover -- [--patroni] [rounds]

Kills the PostgreSQL server that accepts writes, under load, and prints how long messages were refused. Each round is
one kill. Default: 10 rounds. Exits with 1 if a message that was answered with 202 was lost or executed twice, if a
run's state or stream was wrong, or if a request was answered with 500.

default     A primary and one synchronous standby; the command promotes the standby.
--patroni   Three machines with etcd, Patroni and PostgreSQL, configured by deploy/patroni/. Each round kills
            everything on the leader's machine, and Patroni promotes another one.

Needs the Debian packages postgresql and, with --patroni, patroni, python3-etcd and etcd-server. Missing packages are
installed if root runs the command.`

const readArguments = (): { rounds: number; withPatroni: boolean; wantsHelp: boolean } | null => {
  try {
    const { values, positionals } = parseArgs({
      options: { patroni: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [rounds = '10', ...more] = positionals
    if (!/^\d+$/.test(rounds) || more.length > 0) return null
    return { rounds: Number(rounds), withPatroni: values.patroni, wantsHelp: values.help }
  } catch {
    return null
  }
}

const given = readArguments()
if (given === null || given.wantsHelp) {
  console.log(HELP)
  process.exit(given === null ? 2 : 0)
}

// A signal alone ends Node without its exit handlers, which kill the database servers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const startServers = given.withPatroni ? startPatroniCluster : startServerPair
const { faults, answers, outagesMs, promotionsMs, ...counts } = await failOverRepeatedly(
  await startServers(debianPostgres()),
  given.rounds,
  (line) => console.log(line),
)
console.table(counts)
console.log('answers by status', answers)
console.log('another server accepted writes after, in ms', promotionsMs.map(Math.round).join(', '))
console.log('messages were admitted again after, in ms', outagesMs.map(Math.round).join(', '))
for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`)
process.exitCode = faults.length === 0 && counts.internalErrors === 0 ? 0 : 1
