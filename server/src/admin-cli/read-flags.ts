import { parseArgs } from 'node:util'
import { closestName } from '../app/settings/closest-name.ts'

/** Whether a flag takes a value. */
export type FlagShape = 'value' | 'switch'

export interface Flags {
  /** Every text that was given for a flag; a switch has `true` or `false`. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly positionals: readonly string[]
  /** The faults. They do not contain the values of flags, because a value may be a secret. */
  readonly faults: readonly string[]
}

const tokensOf = (args: readonly string[], shapes: ReadonlyMap<string, FlagShape>) =>
  parseArgs({
    args: [...args],
    options: Object.fromEntries(
      [...shapes].map(([name, shape]) => [
        name,
        { type: shape === 'value' ? 'string' : 'boolean', ...(name === 'help' ? { short: 'h' } : {}) },
      ]),
    ),
    // Strict mode would throw, and its messages do not suggest a similar flag.
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens

/** Reads arguments by the flags that are known; reports all faults at once. */
export const readFlags = (args: readonly string[], shapes: ReadonlyMap<string, FlagShape>): Flags => {
  const values = new Map<string, string[]>()
  const positionals: string[] = []
  const faults: string[] = []
  const add = (name: string, text: string): void => {
    values.set(name, [...(values.get(name) ?? []), text])
  }
  for (const token of tokensOf(args, shapes)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const shape = shapes.get(name)
    if (shape === undefined) faults.push(explainUnknown(rawName, name, [...shapes.keys()]))
    else if (shape === 'switch') {
      if (value === undefined || value === 'true' || value === 'false') add(name, value ?? 'true')
      else faults.push(`--${name} accepts only true or false, as in --${name}=false`)
    } else if (value === undefined) faults.push(`--${name} needs a value`)
    else if (inlineValue === false && /^-\D/.test(value))
      faults.push(`--${name} needs a value; one that begins with a dash is written --${name}=<value>`)
    else add(name, value)
  }
  return { values, positionals, faults }
}

/** The index of the first argument that is neither a flag nor a flag's value. */
export const firstPositional = (args: readonly string[], shapes: ReadonlyMap<string, FlagShape>): number =>
  tokensOf(args, shapes).find(({ kind }) => kind === 'positional')?.index ?? args.length

const explainUnknown = (rawName: string, name: string, known: readonly string[]): string => {
  const meant = closestName(name.replaceAll('_', '-'), known)
  return `${rawName} is not a flag of this command${meant === null ? '' : `; did you mean --${meant}?`}`
}
