import type { Refusal } from '../behaviour/refusal.ts'
import type { FieldError } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { refuseFaults } from './outcome.ts'

const LARGEST_LIMIT = 200
const DEFAULT_LIMIT = 50

/** The query's integers by name, undefined where absent, with `limit` as it applies; or what is wrong with them. */
export const readPage = <Name extends string>(
  query: URLSearchParams,
  names: readonly Name[] = [],
): { readonly limit: number; readonly values: { readonly [N in Name]?: number } } | Refusal => {
  const faults: FieldError[] = []
  const read = (name: string, maximum: number): number | undefined => {
    const given = query.get(name)
    if (given === null) return undefined
    const value = /^\d+$/.test(given) ? Number(given) : 0
    if (value < 1 || value > maximum) faults.push({ pointer: name, message: `must be an integer from 1 to ${maximum}` })
    return value
  }
  const limit = Math.min(read('limit', LARGEST_LIMIT) ?? DEFAULT_LIMIT, LIMITS.pageRecords)
  const values: { [N in Name]?: number } = {}
  for (const name of names) {
    const value = read(name, Number.MAX_SAFE_INTEGER)
    if (value !== undefined) values[name] = value
  }
  return faults.length === 0 ? { limit, values } : refuseFaults(faults)
}
