import { parse } from 'yaml'
import { messageOf } from '../message-of.ts'
import { throwIfAny, UsageError } from './usage-error.ts'

/**
 * Parses a configuration in YAML or JSON. `${NAME}` in a string is replaced by the environment variable, so that the
 * file need not contain secrets.
 * @throws {UsageError} It cannot be parsed, or a variable is not set.
 */
export function parseDeclared(file: string, text: string, environment: NodeJS.ProcessEnv = process.env): unknown {
  const missing: string[] = []
  const fill = (value: unknown, path: string): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
        const found = environment[name]
        if (found === undefined) missing.push(`${path}: the environment has no ${name}`)
        return found ?? ''
      })
    if (Array.isArray(value)) return value.map((item, at) => fill(item, `${path}[${at}]`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fill(member, path === '' ? name : `${path}.${name}`)]),
    )
  }
  const filled = fill(parseYaml(file, text), '')
  throwIfAny(file, missing)
  return filled
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`)
  }
}
