import type { CoverageReport } from './coverage.ts'

const COLUMNS = [
  ['rules', 'rules'],
  ['cited', 'cited'],
  ['excluded', 'excluded'],
  ['deferred', 'deferred'],
  ['notServer', 'not server'],
  ['open', 'open'],
] as const

/** Renders a report for a terminal: the table by topic, then every failure with what to do about it. */
export function renderCoverage(report: CoverageReport): string {
  const lists = [
    list(
      'Citations that name no rule (correct the ID in the test)',
      report.unknown.map(({ rule, file, line }) => `${file}:${line} cites ${rule}`),
    ),
    list(
      'Stale exclusions (remove them from conformance/exclusions.yaml)',
      report.staleExclusions.map(({ rule, why }) => `${rule}: ${why}`),
    ),
    list(
      'Stale defers (remove them from conformance/exclusions.yaml)',
      report.staleDefers.map(({ endpoint }) => `endpoint ${endpoint}: no rule waits for it`),
    ),
    list(
      'Open rules (cite each in the name of a test that proves it)',
      report.open.map(({ id, level, where, rule }) => `${id} ${level} (${where}) ${rule}`),
    ),
  ]
  const verdict = report.ok ? 'Every rule that needs a test has one.' : 'The rule coverage is not complete.'
  return `${[renderTable(report), ...lists.filter((text) => text !== ''), verdict].join('\n\n')}\n`
}

function renderTable({ topics, total }: CoverageReport): string {
  const rows = [...topics, { topic: 'all', ...total }].map((row) => [
    row.topic,
    ...COLUMNS.map(([key]) => String(row[key])),
  ])
  const header = ['topic', ...COLUMNS.map(([, title]) => title)]
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const render = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [render(header), ...rows.map(render)].join('\n')
}

const list = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : [`${title}: ${items.length}`, ...items.map((item) => `  ${item}`)].join('\n')
