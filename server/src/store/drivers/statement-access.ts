import type { Statement } from '../db.ts'

/** Whether a statement only reads, or may change something or wait for somebody else's change. */
export type Access = 'read' | 'write'

/** Whatever changes, locks or tells something contains one of these words. A read that merely quotes one counts as a write. */
const CHANGES =
  /\b(insert|update|delete|merge|truncate|vacuum|analyze|lock|for (no key )?update|for (key )?share|pg_(try_)?advisory_\w+|pg_notify|set|set_config|nextval)\b/i
const READS = /^\s*(select|with|table|values)\b/i

const known = new WeakMap<Statement, Access>()

/** What a statement does, by its text; looked at once. */
export const accessOf = (statement: Statement): Access => {
  const before = known.get(statement)
  if (before !== undefined) return before
  const { text } = statement
  const access = READS.test(text) && !CHANGES.test(text) ? 'read' : 'write'
  known.set(statement, access)
  return access
}
