import { parse } from 'yaml'
import type { Defer, Exclusion } from './coverage.ts'

/** Parses `exclusions.yaml`. @throws {Error} naming every entry that is not as its section demands. */
export function parseExclusions(text: string): { exclusions: Exclusion[]; defers: Defer[] } {
  const file: unknown = parse(text)
  const sections = isRecord(file) ? file : {}
  const faults = Object.keys(sections)
    .filter((name) => name !== 'exclusions' && name !== 'defers')
    .map((name) => `${name}: unknown section`)

  const exclusions = readSection(sections, 'exclusions', 'rule', isText, faults)
  const defers = readSection(sections, 'defers', 'endpoint', isEndpoint, faults)
  if (faults.length > 0)
    throw new Error(`exclusions.yaml is faulty:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  return {
    exclusions: exclusions.map(({ subject, reason }) => ({ rule: subject, reason })),
    defers: defers.map(({ subject, reason }) => ({ endpoint: subject, reason })),
  }
}

/** Reads a section's entries `{ [key]: subject, reason }`; whatever is wrong with them is added to `faults`. */
function readSection<T>(
  sections: Record<string, unknown>,
  name: string,
  key: string,
  isSubject: (value: unknown) => value is T,
  faults: string[],
): { subject: T; reason: string }[] {
  const entries = sections[name]
  if (!Array.isArray(entries)) {
    faults.push(`${name}: must be a list`)
    return []
  }
  const seen = new Set<T>()
  return entries.flatMap((entry: unknown, index) => {
    const { [key]: subject, reason, ...others } = isRecord(entry) ? entry : {}
    if (!isSubject(subject) || !isText(reason) || Object.keys(others).length > 0) {
      faults.push(`${name}, entry ${index + 1}: must be a valid ${key} and a reason, nothing else`)
      return []
    }
    if (seen.has(subject)) faults.push(`${name}: ${subject} stands twice`)
    seen.add(subject)
    return [{ subject, reason }]
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const isEndpoint = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 15
