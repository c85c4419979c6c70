import { isReport, type KeptReport } from './read-report.ts'
import { sealedPartOf } from './seal.ts'

/** Whom a report is about. */
export interface Implementation {
  readonly name: string
  /** What it is written in. */
  readonly language: string
  /** Where it can be had; null where it is not public. */
  readonly url: string | null
}

/** What the collection of results keeps: whom a report is about, and the report without its transcripts. */
export interface Submission {
  readonly implementation: Implementation
  readonly report: KeptReport
}

/** A report as it is submitted. Hash and signature stay right, since they cover only what stays. */
export const toSubmission = (implementation: Implementation, report: KeptReport): Submission => ({
  implementation,
  report: {
    ...sealedPartOf(report),
    sha256: report.sha256,
    ...(report.signature === undefined ? {} : { signature: report.signature }),
  },
})

/** The submission that a text holds, or null. */
export function parseSubmission(text: string): Submission | null {
  const { implementation, report } = Object(JSON.parse(text))
  const { name, language } = Object(implementation)
  return typeof name === 'string' && typeof language === 'string' && isReport(report)
    ? { implementation, report }
    : null
}
