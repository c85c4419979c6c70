/** Measures ratios of the hot paths within one run, in interleaved rounds: `npm run bench -- [--quick] [part …]`. */
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/databases/postgres.ts'
import { benchAdmission } from './admission.ts'
import { benchBlockedModule } from './blocked-module.ts'
import { writeCapacity } from './capacity.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchEmbedded } from './embedded.ts'
import { benchFairness } from './fairness.ts'
import { benchFanOut } from './fan-out.ts'
import { footprintNotes, measureFootprint } from './footprint.ts'
import { benchGrowth } from './growth.ts'
import { benchHttpAssistants } from './http-assistants.ts'
import { benchIdleWorkers } from './idle-workers.ts'
import { benchLatency } from './latency.ts'
import { benchLockWaits } from './lock-waits.ts'
import { benchModules } from './modules.ts'
import type { SoakDatabase, SoakItem } from './soak.ts'
import { measureSoak, SOAK_ITEMS } from './soak.ts'
import { benchStreams } from './streams.ts'
import { benchStructured } from './structured.ts'
import type { Row } from './support/ratios.ts'
import { formatRow, holds } from './support/ratios.ts'
import { benchWholeRun } from './whole-run.ts'
import { benchWorkers } from './workers.ts'

const PARTS = [
  ...(['admission', 'whole-run', 'fairness', 'lock-waits', 'latency', 'fan-out'] as const),
  ...(['streams', 'embedded', 'callbacks', 'growth', 'footprint', 'modules', 'blocked-module'] as const),
  ...(['workers', 'idle-workers', 'http-assistants', 'structured'] as const),
]

/** Changes files of the repository, so it runs only on request. */
const CAPACITY = 'capacity'

/** Its duration depends on `--count`, so it runs only on request. */
const SOAK = 'soak'
const SOAK_DATABASES: readonly SoakDatabase[] = ['embedded', 'postgres']

const HELP = `npm run bench -- [--quick] [${[...PARTS, CAPACITY, SOAK].join('|')} …]

Prints ratios measured in one run: medians of interleaved rounds, on PostgreSQL with its default durability and on the
embedded database. --quick measures for a shorter time and in fewer rounds. Measures all parts, except capacity and
soak, unless you name some. Exits with 1 when a bound is missed. capacity measures without bounds, and writes
docs/capacity.json and the guide. TEST_POSTGRES_BIN may name a folder with other PostgreSQL binaries.

soak prints a gateway's memory before, after N and after 2N items of each kind: --count N (default 2000), --database
${SOAK_DATABASES.join('|')} (default both), --item ${SOAK_ITEMS.join('|')} (repeatable, default all).`

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        count: { type: 'string', default: '2000' },
        database: { type: 'string', multiple: true, default: [...SOAK_DATABASES] },
        item: { type: 'string', multiple: true, default: [...SOAK_ITEMS] },
      },
    })
  } catch {
    return null
  }
}

const isPart = (name: string): boolean => [...PARTS, CAPACITY, SOAK].some((part) => part === name)
const isDatabase = (name: string): name is SoakDatabase => SOAK_DATABASES.some((database) => database === name)
const isItem = (name: string): name is SoakItem => SOAK_ITEMS.some((item) => item === name)

const read = readArguments()
if (
  read === null ||
  read.values.help ||
  !read.positionals.every(isPart) ||
  !read.values.database.every(isDatabase) ||
  !read.values.item.every(isItem) ||
  !/^[1-9]\d{0,8}$/.test(read.values.count)
) {
  console.log(HELP)
  process.exit(read?.values.help ? 0 : 2)
}
const { positionals: wanted, values: options } = read
const isWanted = (part: (typeof PARTS)[number]): boolean => wanted.length === 0 || wanted.includes(part)
const effort = options.quick ? { rounds: 3, measureMs: 800, idle: 2000 } : { rounds: 5, measureMs: 2000, idle: 10_000 }
const progress = (line: string): void => console.error(`… ${line}`)

const rows: Row[] = []
const notes: string[] = []
const postgres = await startPostgres({ durable: true })
try {
  if (isWanted('admission')) rows.push(...(await benchAdmission(postgres, effort, progress)))
  if (isWanted('whole-run')) {
    const measured = await benchWholeRun(postgres, effort, progress)
    rows.push(...measured.rows)
    notes.push(...measured.notes)
  }
  if (isWanted('fairness')) rows.push(...(await benchFairness(postgres, effort, progress)))
  if (isWanted('lock-waits')) rows.push(...(await benchLockWaits(postgres, effort, progress)))
  if (isWanted('latency')) rows.push(...(await benchLatency(postgres, progress)))
  if (isWanted('fan-out')) {
    progress('fan-out to 1000 subscribers')
    for (const { name, ratio, atLeast, detail } of await benchFanOut())
      rows.push({ name, ratio, bound: { atLeast }, detail })
  }
  if (isWanted('streams')) rows.push(...(await benchStreams(postgres, effort, progress)))
  if (isWanted('embedded')) rows.push(...(await benchEmbedded(effort, progress)))
  if (isWanted('callbacks')) {
    const measured = await benchDeliveries(postgres, effort, progress)
    rows.push(...measured.rows)
    notes.push(...measured.notes)
  }
  if (isWanted('growth')) {
    const measured = await benchGrowth(postgres, effort, progress)
    rows.push(...measured.rows)
    notes.push(...measured.notes)
  }
  if (isWanted('modules')) rows.push(...(await benchModules(postgres, effort, progress)))
  if (isWanted('blocked-module')) rows.push(...(await benchBlockedModule(postgres, effort, progress)))
  if (isWanted('idle-workers')) rows.push(...(await benchIdleWorkers(postgres, progress)))
  if (isWanted('http-assistants')) rows.push(...(await benchHttpAssistants(postgres, effort, progress)))
  if (isWanted('workers')) rows.push(...(await benchWorkers(postgres, effort, progress)))
  if (isWanted('structured')) rows.push(...(await benchStructured(postgres, effort, progress)))
  if (isWanted('footprint')) notes.push(...footprintNotes(await measureFootprint(postgres, progress)))
  if (wanted.includes(CAPACITY)) notes.push(await writeCapacity(postgres, effort, progress))
  if (wanted.includes(SOAK)) {
    const plan = {
      count: Number(options.count),
      databases: options.database.filter(isDatabase),
      items: options.item.filter(isItem),
    }
    notes.push(...(await measureSoak(postgres, plan, progress)))
  }
} finally {
  await postgres.stop()
}
for (const row of rows) console.log(formatRow(row))
for (const note of notes) console.log(`          ${note}`)
process.exitCode = rows.every(holds) ? 0 : 1
