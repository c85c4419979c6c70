import { LIMITS } from '../../openapi/generated/limits.ts'
import capacity from '../capacity.json' with { type: 'json' }
import { table } from './markdown.ts'

/** The guide to capacity with the figures that `npm run bench -- capacity` has stored in docs/capacity.json. */
export const withCapacityFigures = (guide: string): string =>
  guide.replace(SECTION, () => `## Figures\n\n${figures()}\n\n`)

/** The generated section, up to the first handwritten sentence after it. */
const SECTION = /^## Figures\n\n[\s\S]*?(?=^Your assistants )/m

const figures = (): string => {
  const { machine, admission, runs, footprint } = capacity
  return [
    `Measured on ${machine.date} on a shared machine: ${machine.processors} cores (${machine.processor}) and ${machine.memoryGiB} GiB for gateway, PostgreSQL ${machine.postgres}, the load generator and other programs (load average before the measurement: ${machine.otherLoad}); Node ${machine.node}.`,
    table(
      ['What', 'Per second', 'Median', 'CPU of the gateway', 'CPU of PostgreSQL'],
      [
        [`admissions, ${admission.connections} connections`, `${admission.perSecond}`, `${admission.p50Ms} ms`, '', ''],
        ...runs.map(({ atOnce, perSecond, p50Ms, gatewayMs, postgresMs }) => [
          `whole runs, ${atOnce === 1 ? 'one' : atOnce} at a time`,
          `${perSecond}`,
          `${p50Ms} ms`,
          `${gatewayMs} ms a run`,
          `${postgresMs} ms a run`,
        ]),
      ],
    ),
    'A whole run lasts from the request, a message of eight words, to the end of the answer, which an open stream delivers word by word.',
    'A run of the echo assistant with nine words adds to the database:',
    table(
      ['Table', 'Rows', 'Bytes, indexes included'],
      footprint.run
        .filter(({ rows }) => rows > 0)
        .map(({ table: name, rows, bytes }) => [`\`${name}\``, `${rows}`, `${bytes}`]),
    ),
    `By [the formula below](#disk), ${RUNS_A_DAY.toLocaleString('en')} such runs a day need ${gigabytesAfter(30)} after a month and ${gigabytesAfter(365)} after a year.`,
    `A process that executes nothing takes ${footprint.quietMiB} MiB of memory, and ${footprint.streamKiB} KiB more for each open stream that is quiet. It is ready ${footprint.startUpMs} ms after its start.`,
  ].join('\n\n')
}

const RUNS_A_DAY = 100_000
const DAY_MS = 86_400_000

/** The formula of the guide. */
const gigabytesAfter = (days: number): string => {
  const bytesOf = (name: string): number => capacity.footprint.run.find((each) => each.table === name)?.bytes ?? 0
  const kept = (ms: number): number => Math.min(days, ms / DAY_MS)
  const bytes =
    kept(LIMITS.eventsMs) * (bytesOf('events') + bytesOf('idempotency')) +
    kept(LIMITS.bodiesMs) * bytesOf('messages') +
    days * bytesOf('runs')
  return `${Math.round((RUNS_A_DAY * bytes) / 1e9)} GB`
}
