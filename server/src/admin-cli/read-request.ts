import type { Command, Field } from './contract.ts'
import { isRecord } from './format-answer.ts'
import type { FlagShape } from './read-flags.ts'
import { readFlags } from './read-flags.ts'
import { parseJson, readValue } from './read-value.ts'

/** The request of one call of the operator API. */
export interface AdminRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Absent for operations without a body. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** The flags that every command has. */
export interface CommonFlags {
  readonly url: string | null
  readonly json: boolean
  readonly help: boolean
}

export const COMMON_SHAPES: ReadonlyMap<string, FlagShape> = new Map([
  ['url', 'value'],
  ['json', 'switch'],
  ['help', 'switch'],
])

export interface RequestReading {
  readonly common: CommonFlags
  /** Whether to read every page. */
  readonly all: boolean
  readonly request: AdminRequest
  readonly faults: readonly string[]
}

export const readCommon = (values: ReadonlyMap<string, readonly string[]>): CommonFlags => ({
  url: values.get('url')?.at(-1) ?? null,
  json: values.get('json')?.at(-1) === 'true',
  help: values.get('help')?.at(-1) === 'true',
})

/** Whether the command has its own `--url`, so that the flag is not the gateway's address. */
export const hasOwnUrl = (command: Command): boolean => fieldsOf(command).some(({ flag }) => flag === 'url')

/** The flags of a command. Its own flags override the common ones. */
export const shapesOf = (command: Command): ReadonlyMap<string, FlagShape> => {
  const shapes = new Map(COMMON_SHAPES)
  if (command.pagination !== null) shapes.set('all', 'switch')
  if (command.body !== null) shapes.set('body', 'value')
  for (const { flag, type } of fieldsOf(command)) {
    shapes.set(flag, type.kind === 'boolean' ? 'switch' : 'value')
    if (hasNegative({ type })) shapes.set(`no-${flag}`, 'switch')
  }
  return shapes
}

/** `--no-…` sets a switch to false, and anything that may be null to null. */
export const hasNegative = ({ type }: Pick<Field, 'type'>): boolean => type.kind === 'boolean' || type.nullable

const fieldsOf = ({ query, body }: Command): readonly Field[] => [...query, ...(body?.members ?? [])]

/**
 * Reads the arguments of a command into its request.
 * @param readFile reads what `--body @<path>` names; its error's message is reported.
 */
export const readRequest = async (
  command: Command,
  args: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<RequestReading> => {
  const flags = readFlags(args, shapesOf(command))
  const faults = [...flags.faults]
  const read = (field: Field, texts: readonly string[], label: string): unknown => {
    const reading = readValue(field, texts)
    if ('value' in reading) return reading.value
    faults.push(`${label} ${reading.fault}`)
    return undefined
  }
  const readMembers = (fields: readonly Field[]): Record<string, unknown> => {
    const members: Record<string, unknown> = {}
    for (const field of fields) {
      const texts = flags.values.get(field.flag)
      const isNegated = flags.values.get(`no-${field.flag}`)?.at(-1) === 'true'
      if (texts !== undefined && isNegated) faults.push(`--${field.flag} and --no-${field.flag} exclude each other`)
      else if (isNegated) members[field.name] = field.type.kind === 'boolean' ? false : null
      else if (texts !== undefined) members[field.name] = read(field, texts, `--${field.flag}`)
    }
    return members
  }

  const path = command.arguments.reduce((template, field, index) => {
    const text = flags.positionals[index]
    if (text === undefined) faults.push(`<${field.name}> is missing`)
    else if (text === '' || text === '.' || text === '..') faults.push(`<${field.name}> must be an ID`)
    else return template.replace(`{${field.name}}`, encodeURIComponent(String(read(field, [text], `<${field.name}>`))))
    return template
  }, command.path)
  // The value of an unknown flag looks like an extra argument; report only the flag.
  if (flags.positionals.length > command.arguments.length && flags.faults.length === 0)
    faults.push(tooMany(command, flags.positionals.slice(command.arguments.length)))

  const query = readMembers(command.query)
  const body = command.body === null ? null : { ...(await readBody()), ...readMembers(command.body.members) }
  // If a body has several forms, no member is required here; the gateway validates it.
  const missing = [
    ...command.query.filter(({ name, required }) => required && !(name in query)),
    ...(command.body?.members ?? []).filter(({ name, required }) => required && !(name in (body ?? {}))),
  ]
  // Do not report missing flags beside unknown ones, which may be misspellings of them.
  if (flags.faults.length === 0) faults.push(...missing.map(({ flag }) => `--${flag} is required`))
  if (command.body?.needsMember && faults.length === 0 && Object.keys(body ?? {}).length === 0)
    faults.push(`one of ${command.body.members.map(({ flag }) => `--${flag}`).join(', ')} is required`)

  return {
    common: { ...readCommon(flags.values), ...(hasOwnUrl(command) ? { url: null } : {}) },
    all: flags.values.get('all')?.at(-1) === 'true',
    request: {
      method: command.method,
      path,
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      ...(body === null ? {} : { body }),
    },
    faults,
  }

  async function readBody(): Promise<object> {
    const text = flags.values.get('body')?.at(-1)
    if (text === undefined) return {}
    try {
      const reading = parseJson(text.startsWith('@') ? await readFile(text.slice(1)) : text)
      const value = 'value' in reading ? reading.value : null
      if (isRecord(value)) return value
      faults.push('--body must be a JSON object, or @ and the path of a file that holds one')
    } catch (error) {
      faults.push(`--body cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    return {}
  }
}

const tooMany = (command: Command, rest: readonly string[]): string => {
  const expected = command.arguments.map(({ name }) => `<${name}>`).join(' ') || 'none'
  const hint = rest.some((text) => text === 'true' || text === 'false') ? '; a switch is set as in --enabled=false' : ''
  return `there are more arguments than expected (${expected})${hint}`
}
