import { createValidator } from '@conversation-gateway/openapi/validator'
import type { KeywordDefinition } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { FaultSearch } from '../json/limits.ts'
import type { ContractFault } from './contract-faults.ts'
import { explainErrors } from './contract-faults.ts'
import { TEXT_KEYWORDS } from './text-keywords.ts'

/**
 * Says what about a value breaks the contract; an empty list for a value that keeps it. Never changes the value. Who
 * searches for the first fault alone gets one that is found by counting, if there is such, before members are looked at.
 */
export type Validator = (value: unknown, search?: FaultSearch) => readonly ContractFault[]

/** Compiles the schema that stands at a JSON pointer of the document. A broken schema throws, at start. */
export type CompileValidator = (pointer: string) => Validator

/** Those of the documents of this process: to load one takes a good part of a start. */
const loaded = new WeakMap<object, CompileValidator>()

/** Compiles a document's schemas as they stand: no coercion, no defaults, nothing removed. Each is compiled once. */
export const createValidators = (document: object): CompileValidator => {
  const known = loaded.get(document)
  if (known !== undefined) return known
  const compile = loadDocument(document)
  loaded.set(document, compile)
  return compile
}

const loadDocument = (document: object): CompileValidator => {
  const located = withAbsoluteReferences(document)
  // Most values are faultless, and some are made to have faults without end: both are seen at the first fault.
  const first = createLibrary(located, false)
  let all: Ajv2020 | undefined
  const compiled = new Map<string, Validator>()
  return (pointer) => {
    const known = compiled.get(pointer)
    if (known !== undefined) return known
    const reference = { $ref: `${DOCUMENT}#${encodeURI(pointer)}` }
    const validate = first.compile(reference)
    const validator: Validator = (value, search = 'all') => {
      if (validate(value)) return NO_FAULTS
      if (search === 'first') return explainErrors(first, validate.errors ?? [])
      all ??= createLibrary(located, true)
      const thorough = all.compile(reference)
      return thorough(value) ? NO_FAULTS : explainErrors(all, thorough.errors ?? [])
    }
    compiled.set(pointer, validator)
    return validator
  }
}

const createLibrary = (document: object, allErrors: boolean): Ajv2020 => {
  // Errors carry their schema, so that what no alternative allows can be explained by its nearest alternative.
  const ajv = createValidator(document, { verbose: true, allErrors })
  ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
  for (const definition of TEXT_KEYWORDS) ajv.removeKeyword(String(definition.keyword)).addKeyword(definition)
  // The JSON parser sees to it for whole bodies, with a pointer for each fault.
  ajv.removeKeyword('x-well-formed').addVocabulary(['x-well-formed'])
  return ajv
}

/** The name under which the document is known to its validators. */
const DOCUMENT = 'openapi'
const NO_FAULTS: readonly ContractFault[] = []

/** References that hold wherever a part of the document is compiled by itself. */
const withAbsoluteReferences = (document: object): object =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${DOCUMENT}${value}` : value,
  )

/** `uniqueItems` in linear time, and naming the repeated item: the library compares each item with each other. */
const UNIQUE_ITEMS: KeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile: (unique: boolean) => {
    const validate: DataValidateFunction = (items: readonly unknown[]) => {
      const seen = new Set<string>()
      const index = unique ? items.findIndex((item) => seen.size === seen.add(JSON.stringify(item)).size) : -1
      validate.errors = [{ keyword: 'uniqueItems', params: { index } }]
      return index === -1
    }
    return validate
  },
}
