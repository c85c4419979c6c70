import type { CheckInfo } from '../kit/catalogue.ts'
import { isConformant, judgeReport } from './judge.ts'
import type { KeptReport } from './read-report.ts'
import { findRequirementSet, hashOfSet } from './requirement-sets.ts'
import { hashOfReport } from './seal.ts'

/** The recomputed verdict and hashes of a report. */
export interface Verification {
  /** The contradictions; none in an unchanged report. */
  readonly faults: readonly string[]
  /** Notes that are not faults: another suite, another contract. */
  readonly remarks: readonly string[]
}

export interface VerifyOptions {
  /** All checks of this suite. */
  readonly catalogue: readonly CheckInfo[]
  readonly suiteSha256: string
  readonly contractSha256: string
}

/** Recomputes verdict and hashes of a report from its checks. */
export function verifyReport(report: KeptReport, options: VerifyOptions): Verification {
  const { suiteSha256, contractSha256 } = options
  const remarks: string[] = []
  if (report.suiteSha256 !== suiteSha256)
    remarks.push(
      `The report was made by another build of the suite (${report.suiteVersion}, ${report.suiteSha256.slice(0, 16)}).`,
    )
  if (report.contractSha256 !== contractSha256)
    remarks.push(`The report was made for another contract (${report.contractSha256.slice(0, 16)}).`)
  const faults = [
    ...faultsOfVerdict(report),
    ...faultsOfRequirements(report),
    ...faultsOfLevels(report, options.catalogue),
    ...(report.sha256 === hashOfReport(report) ? [] : ['Its hash does not match its content: the report was changed.']),
  ]
  return { faults, remarks }
}

function faultsOfVerdict(report: KeptReport): string[] {
  const { conformant, checks } = report
  const computed = isConformant(judgeReport(report))
  const twice = checks.map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at)
  return [
    ...twice.map((id) => `The report contains ${id} more than once.`),
    ...(computed === conformant
      ? []
      : [`The report has conformant: ${conformant}, but its checks result in ${computed}.`]),
  ]
}

/**
 * The faults of a report's requirement set: different content, missing checks, and counted checks marked as unscored.
 */
function faultsOfRequirements({ target, profile, requirements, checks }: KeptReport): string[] {
  if (requirements === null) return []
  const { name, sha256 } = requirements
  const set = findRequirementSet(profile, name)
  if (set === null) return [`There is no requirement set ${name} of the profile ${profile}.`]
  if (hashOfSet(set) !== sha256) return [`${name} differs from the frozen requirement set.`]
  const required = new Set(set.checks[target])
  const missing = [...required].filter((id) => !checks.some((check) => check.id === id))
  const uncounted = checks.filter(({ id, status }) => status === 'unscored' && required.has(id))
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} checks of ${name} are missing, such as ${missing[0]}.`]),
    ...uncounted.map(({ id }) => `${id} counts in ${name}, but the report marks it as unscored.`),
  ]
}

/** A broken MUST must not be reported as a warning. */
function faultsOfLevels({ target, checks }: KeptReport, catalogue: readonly CheckInfo[]): string[] {
  const levels = new Map(catalogue.filter((check) => check.target === target).map(({ id, level }) => [id, level]))
  return checks.flatMap(({ id, status }) => {
    const level = levels.get(id)
    if (level === undefined) return []
    const softened = (status === 'warning' && level !== 'SHOULD') || (status === 'info' && level !== 'MAY')
    return softened ? [`${id} is a ${level} and cannot have the status ${status}.`] : []
  })
}
