import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { CompileValidator, Validator } from '../../domain/contract/validators.ts'
import type { Located, OpenApiDocument, OperationObject, ParameterObject } from '../site/document.ts'
import { jsonPointer, locate } from '../site/document.ts'

/** Reads the parameters of one place from what the router and Node parsed. */
export type ReadParameters = (
  source: Readonly<Record<string, unknown>>,
  faults: Fault[],
) => Readonly<Record<string, unknown>>

/** Reads one parameter: its value, its default, or undefined; a fault is added to the list. */
export type ReadParameter = (given: unknown, faults: Fault[]) => unknown

interface Parameter {
  /** The name as the contract writes it. */
  readonly name: string
  /** The name in the parsed request: header names in lower case. */
  readonly key: string
  readonly read: ReadParameter
}

/**
 * Compiles the parameters of one place of an operation. Texts are converted to the schema's type (integer, boolean)
 * with strict syntax: `0x10`, `1e2` and ` 5` are not integers. A repeated parameter is a fault. Unknown parameters and
 * headers without a value are ignored.
 * @param except Parameters that are read elsewhere.
 */
export const compileParameters = (
  document: OpenApiDocument,
  operation: Located<OperationObject>,
  place: 'path' | 'query' | 'header',
  compile: CompileValidator,
  except: readonly string[] = [],
): ReadParameters => {
  const parameters = locateParameters(document, operation)
    .filter(({ part }) => part.in === place && !except.includes(part.name))
    .map(({ part, pointer }): Parameter => {
      const { name } = part
      const key = place === 'header' ? name.toLowerCase() : name
      return { name, key, read: compileParameter(document, part, pointer, compile) }
    })
  if (parameters.length === 0) return () => NO_PARAMETERS
  return (source, faults) => {
    const values: Record<string, unknown> = {}
    for (const { name, key, read } of parameters) {
      const given = source[key]
      const value = read(place === 'header' && given === '' ? undefined : given, faults)
      if (value !== undefined) values[name] = value
    }
    return values
  }
}

/** Compiles the schema of one header of an operation; null if the operation does not have it. */
export const compileHeader = (
  document: OpenApiDocument,
  operation: Located<OperationObject>,
  name: string,
  compile: CompileValidator,
): Validator | null => {
  const header = locateParameters(document, operation).find(({ part }) => part.in === 'header' && part.name === name)
  return header === undefined ? null : compile(`${header.pointer}/schema`)
}

const NO_PARAMETERS: Readonly<Record<string, unknown>> = {}

const locateParameters = (document: OpenApiDocument, { part, pointer }: Located<OperationObject>) =>
  (part.parameters ?? []).map((parameter, index) =>
    locate(document.components.parameters, parameter, `${pointer}${jsonPointer('parameters', index)}`),
  )

/** Compiles how one value is read from its text. */
export const compileParameter = (
  document: OpenApiDocument,
  { name, required = false, schema: given }: Omit<ParameterObject, 'in'>,
  pointer: string,
  compile: CompileValidator,
): ReadParameter => {
  const schema: SchemaObject = locate(document.components.schemas, given, '').part
  const convert = CONVERSIONS[schema.type ?? 'string']
  if (convert === undefined) throw new Error(`parameter ${name}: no conversion of texts to ${schema.type}`)
  const validate = compile(`${pointer}/schema`)
  return (text, faults) => {
    if (text === undefined) {
      if (required) faults.push({ pointer: name, message: 'is required' })
      return schema.default
    }
    const value = typeof text === 'string' ? convert(text) : REPEATED
    if (value instanceof Unreadable) {
      faults.push({ pointer: name, message: value.message })
      return undefined
    }
    for (const { message } of validate(value)) faults.push({ pointer: name, message })
    return value
  }
}

interface SchemaObject {
  readonly type?: string
  readonly default?: unknown
}

class Unreadable {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const REPEATED = new Unreadable('must be given only once')
const NOT_AN_INTEGER = new Unreadable('must be an integer')
const NOT_A_BOOLEAN = new Unreadable('must be true or false')
const HAS_NUL = new Unreadable('must not have NUL')

const INTEGER = /^(?!-0+$)-?[0-9]+$/
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

const CONVERSIONS: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => (text.includes('\0') ? HAS_NUL : text),
  integer: (text) => (INTEGER.test(text) ? Number(text) : NOT_AN_INTEGER),
  boolean: (text) => BOOLEANS.get(text) ?? NOT_A_BOOLEAN,
}
