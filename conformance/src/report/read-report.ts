import { readFile } from 'node:fs/promises'
import { UsageError } from '../config/load-config.ts'
import { STATUSES, type Status, type SuiteReport } from './suite-report.ts'

/** What is read back of a report in JSON. */
export interface KeptReport
  extends Pick<SuiteReport, 'target' | 'profile' | 'subject' | 'conformant' | 'suiteVersion' | 'startedAt'> {
  readonly checks: readonly { readonly id: string; readonly status: Status; readonly message: string | null }[]
}

/** Reads a file of `--report-json`. @throws {UsageError} it cannot be read, or is something else. */
export async function readReport(file: string): Promise<KeptReport> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The report ${file} cannot be read.`)
  })
  const report = parse(text)
  if (report === null) throw new UsageError(`${file} is no report that --report-json wrote.`)
  return report
}

function parse(text: string): KeptReport | null {
  try {
    const value: unknown = JSON.parse(text)
    return isReport(value) ? value : null
  } catch {
    return null
  }
}

const isReport = (value: unknown): value is KeptReport => {
  const { target, profile, subject, conformant, suiteVersion, startedAt, checks } = Object(value)
  return (
    [target, profile, subject, suiteVersion, startedAt].every((member) => typeof member === 'string') &&
    typeof conformant === 'boolean' &&
    Array.isArray(checks) &&
    checks.every(isCheck)
  )
}

const isCheck = (value: unknown): boolean => {
  const { id, status, message } = Object(value)
  return typeof id === 'string' && STATUSES.includes(status) && (message === null || typeof message === 'string')
}
