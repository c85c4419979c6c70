/**
 * Compares the cost of the client with that of its dependencies and of other SDKs, as ratios within one run:
 * `npm run bench:sdk -- [--quick]`.
 */
import { benchCalls } from './calls.ts'
import { benchDecoding } from './decoding.ts'
import { formatRow, holds } from './rows.ts'

const HELP = `Usage: npm run bench:sdk -- [--quick]

Prints the cost of a call and of an event, compared with bare fetch, openapi-fetch, eventsource-parser and the SDKs of openai
and langgraph: medians of interleaved rounds. --quick measures fewer calls and events. Exits 1 when a bound is missed.`

const args = process.argv.slice(2)
if (args.includes('--help') || args.some((arg) => arg !== '--quick')) {
  console.log(HELP)
  process.exit(args.includes('--help') ? 0 : 2)
}
const isQuick = args.includes('--quick')
const rows = []
console.error('… calls')
rows.push(...(await benchCalls(isQuick ? { rounds: 3, calls: 1000 } : { rounds: 5, calls: 3000 })))
console.error('… decoding')
rows.push(...(await benchDecoding(isQuick ? { rounds: 3, events: 20_000 } : { rounds: 7, events: 100_000 })))
for (const table of new Set(rows.map((row) => row.table))) {
  console.log(table)
  for (const row of rows.filter((each) => each.table === table)) console.log(formatRow(row))
}
process.exitCode = rows.every(holds) ? 0 : 1
