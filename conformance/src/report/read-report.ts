import { readFile } from 'node:fs/promises'
import { UsageError } from '../kit/config/usage-error.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { SealedReport } from './seal.ts'
import { STATUSES } from './status.ts'

/** A report as read from its JSON file. */
export interface KeptReport extends SealedReport {
  /** SHA-256 of the sealed part of the report. */
  readonly sha256: string
}

/** Reads a file of `--report-json`. @throws {UsageError} It cannot be read, or is not a report. */
export async function readReport(file: string): Promise<KeptReport> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The report ${file} cannot be read.`)
  })
  const report = parseJson(text)
  if (!isReport(report)) throw new UsageError(`${file} is not a report of --report-json.`)
  return report
}

const TEXTS = [
  ...(['target', 'profile', 'subject', 'suiteVersion', 'suiteSha256', 'contractSha256', 'startedAt'] as const),
  'sha256',
] as const

/** Whether a value has the members of a report with the correct types. */
const isReport = (value: unknown): value is KeptReport => {
  const report = Object(value)
  const { conformant, durationMs, requirements, environment, staleBaseline, checks } = report
  return (
    TEXTS.every((member) => typeof report[member] === 'string') &&
    typeof conformant === 'boolean' &&
    typeof durationMs === 'number' &&
    (requirements === null || typeof Object(requirements).name === 'string') &&
    typeof environment === 'object' &&
    Array.isArray(staleBaseline) &&
    Array.isArray(checks) &&
    checks.every(isCheck)
  )
}

const isCheck = (value: unknown): boolean => {
  const { id, status, message } = Object(value)
  return typeof id === 'string' && STATUSES.includes(status) && (message === null || typeof message === 'string')
}
