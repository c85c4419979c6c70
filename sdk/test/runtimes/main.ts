/** Runs the same behaviour tests of the packed SDK in every runtime that it supports. */
import { parseArgs } from 'node:util'
import { importBehaviour } from './bundle-behaviour.ts'
import { formatReport } from './report-text.ts'
import { type RuntimeReport, runIn } from './run-in.ts'
import { startSharedGateway } from './runtime-setup.ts'
import { RUNTIMES } from './runtimes.ts'

const HELP = `node sdk/test/runtimes/main.ts [--only bun,deno]

Runs the behaviour tests of the packed SDK in ${RUNTIMES.map(({ name }) => name).join(', ')}, or in those named by
--only, against the reference gateway behind a fault proxy. Installs runtimes that are missing: pinned ones from npm in
node_modules/.cache, Chromium with apt-get. Exits with 1 if a case fails or a runtime is unavailable.`

const print = (text: string): boolean => process.stdout.write(`${text}\n`)

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } })
if (values.help) {
  print(HELP)
  process.exit(0)
}
const wanted = values.only?.split(',') ?? RUNTIMES.map(({ name }) => name)
const unknown = wanted.filter((name) => !RUNTIMES.some((runtime) => runtime.name === name))
if (unknown.length > 0) {
  print(`Unknown runtimes: ${unknown.join(', ')}.\n\n${HELP}`)
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const { CASES } = await importBehaviour()
const gateway = await startSharedGateway()
const reports: RuntimeReport[] = []
try {
  for (const runtime of RUNTIMES.filter(({ name }) => wanted.includes(name))) {
    if (stop.signal.aborted) break
    const started = performance.now()
    reports.push(await runIn(runtime, gateway, stop.signal))
    print(`${runtime.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
} finally {
  await gateway.close()
}
const { table, failures, passed, failed } = formatReport(
  reports,
  CASES.map(({ name }) => name),
)
print('')
for (const failure of failures) print(`${failure}\n`)
print(`${table}\n`)
print(`${passed} passed, ${failed} failed`)
// Without this, Node can hang in its clean-up after a bundler's process (nodejs/node#47748). Everything is closed here.
process.exit(failures.length > 0 || stop.signal.aborted ? 1 : 0)
