import type { RuntimeReport } from './run-in.ts'

export interface ReportText {
  readonly table: string
  /** Every failed case, with the reason. */
  readonly failures: readonly string[]
  readonly passed: number
  readonly failed: number
}

/** @param names of all cases: a case without a result has failed. */
export const formatReport = (reports: readonly RuntimeReport[], names: readonly string[]): ReportText => {
  const width = Math.max(...names.map(({ length }) => length))
  const errorOf = ({ results }: RuntimeReport, name: string): string | null => {
    const result = results.find((each) => each.name === name)
    return result === undefined ? 'was not run' : result.error
  }
  const head = ['case'.padEnd(width), ...reports.map(({ runtime }) => runtime)].join('  ')
  const rows = names.map((name) =>
    [
      name.padEnd(width),
      ...reports.map((report) => (errorOf(report, name) === null ? 'ok' : 'FAILED').padEnd(report.runtime.length)),
    ].join('  '),
  )
  const cells = reports.flatMap((report) => names.map((name) => ({ report, name, error: errorOf(report, name) })))
  const bad = cells.filter(({ error }) => error !== null)
  return {
    table: [head, ...rows].join('\n'),
    failures: [
      ...reports.flatMap(({ runtime, fault }) => (fault === null ? [] : [`${runtime}: ${fault}`])),
      ...bad.map(({ report, name, error }) => `${report.runtime}, ${name}: ${error}`),
    ],
    passed: cells.length - bad.length,
    failed: bad.length,
  }
}
