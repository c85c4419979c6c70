import { parse } from 'yaml'

/** A known failure that is accepted for now. */
export interface KnownFailure {
  readonly check: string
  readonly reason: string
}

/**
 * Parses a baseline file: a YAML or JSON list of `{ check, reason }`.
 * @throws {Error} Names every invalid or duplicate entry.
 */
export function parseBaseline(text: string): KnownFailure[] {
  const list: unknown = parse(text) ?? []
  if (!Array.isArray(list)) throw new Error('the baseline must be a list of entries with check and reason')
  const faults: string[] = []
  const seen = new Set<string>()
  const entries = list.flatMap((entry: unknown, index): KnownFailure[] => {
    const { check, reason, ...others } = Object(entry)
    if (!isText(check) || !isText(reason) || Object.keys(others).length > 0) {
      faults.push(`entry ${index + 1}: must have a check and a reason, nothing else`)
      return []
    }
    if (seen.has(check)) faults.push(`entry ${index + 1}: ${check} occurs twice`)
    seen.add(check)
    return [{ check, reason }]
  })
  if (faults.length > 0) throw new Error(`the baseline has faults:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  return entries
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
