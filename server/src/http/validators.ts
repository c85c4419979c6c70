import { createValidator } from '@conversation-gateway/openapi/validator'
import type { KeywordDefinition } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { OpenApiDocument } from './document.ts'
import type { ContractFault } from './faults.ts'
import { explainErrors } from './faults.ts'

/** Says what about a value breaks the contract; an empty list for a value that keeps it. Never changes the value. */
export type Validator = (value: unknown) => readonly ContractFault[]

/** Compiles the schema that stands at a JSON pointer of the document. A broken schema throws, at start. */
export type CompileValidator = (pointer: string) => Validator

/** Compiles a document's schemas as they stand: no coercion, no defaults, nothing removed, all faults of a value. */
export const createValidators = (document: OpenApiDocument): CompileValidator => {
  // Errors carry their schema, so that what no alternative allows can be explained by its nearest alternative.
  const ajv = createValidator(withAbsoluteReferences(document), { verbose: true })
  ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS)
  // The JSON parser sees to it for whole bodies, with a pointer for each fault.
  ajv.removeKeyword('x-well-formed').addVocabulary(['x-well-formed'])
  const compiled = new Map<string, Validator>()
  return (pointer) => {
    const known = compiled.get(pointer)
    if (known !== undefined) return known
    const validate = ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` })
    const validator: Validator = (value) => (validate(value) ? NO_FAULTS : explainErrors(ajv, validate.errors ?? []))
    compiled.set(pointer, validator)
    return validator
  }
}

/** The name under which the document is known to its validators. */
const DOCUMENT = 'openapi'
const NO_FAULTS: readonly ContractFault[] = []

/** References that hold wherever a part of the document is compiled by itself. */
const withAbsoluteReferences = (document: OpenApiDocument): object =>
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
