/** A configuration as plain data without secrets, for a report. */
export type DescribedConfig =
  | null
  | boolean
  | number
  | string
  | DescribedConfig[]
  | { [member: string]: DescribedConfig }

const SECRET_MEMBER = /^(key|secret|token|secrets|scopedKeys|cert|env)$/i
const HIDDEN = '[not shown]'

/**
 * Describes a configuration. Hides members with the name of a secret, and texts that `redact` removes. Functions become
 * `a function`.
 */
export function describeConfig(value: unknown, redact: (text: string) => string = String): DescribedConfig {
  if (typeof value === 'string') return withoutCredentials(redact(value))
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.map((item) => describeConfig(item, redact))
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, SECRET_MEMBER.test(name) ? HIDDEN : describeConfig(member, redact)]),
  )
}

/** A URL may carry a user and a password. */
const withoutCredentials = (text: string): string => text.replace(/(:\/\/)[^/@\s]+@/g, `$1${HIDDEN}@`)
