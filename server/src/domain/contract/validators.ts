import { createValidator } from '@conversation-gateway/openapi/validator'
import type { KeywordDefinition } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { FaultSearch } from '../json/limits.ts'
import type { ContractFault } from './contract-faults.ts'
import { explainErrors } from './contract-faults.ts'
import { TEXT_KEYWORDS } from './text-keywords.ts'

/**
 * Returns the faults of a value against the contract; empty if it is valid. Never changes the value. When only the
 * first fault is wanted, cheap checks of sizes come before checks of members.
 */
export type Validator = (value: unknown, search?: FaultSearch) => readonly ContractFault[]

/** Compiles the schema at a JSON pointer of the document. @throws Error for a missing or invalid schema. */
export type CompileValidator = (pointer: string) => Validator

/** The validators of this process's documents, shared because loading one takes a large part of a start. */
const loaded = new WeakMap<object, CompileValidator>()

/** Compiles a document's schemas unchanged: no coercion, no defaults, nothing removed. Each is compiled once. */
export const createValidators = (document: object): CompileValidator => {
  const known = loaded.get(document)
  if (known !== undefined) return known
  const compile = loadDocument(document)
  loaded.set(document, compile)
  return compile
}

const loadDocument = (document: object): CompileValidator => {
  const located = withAbsoluteReferences(document)
  // Most values are valid, and some are crafted to have endless faults. Stopping at the first fault is fast for both.
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
  // Verbose errors contain their schema, so that a mismatch can be explained by the nearest alternative.
  const ajv = createValidator(document, { verbose: true, allErrors })
  ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
  for (const definition of TEXT_KEYWORDS) ajv.removeKeyword(String(definition.keyword)).addKeyword(definition)
  // `findJsonFaults` checks this for whole bodies, with a pointer for each fault.
  ajv.removeKeyword('x-well-formed').addVocabulary(['x-well-formed'])
  return ajv
}

/** The document's ID in its validators. */
const DOCUMENT = 'openapi'
const NO_FAULTS: readonly ContractFault[] = []

/** Makes references absolute, so that a part of the document can be compiled alone. */
const withAbsoluteReferences = (document: object): object =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${DOCUMENT}${value}` : value,
  )

/**
 * `uniqueItems` in linear time, with the index of the repeated item. The library's own keyword compares each item with
 * every other.
 */
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
