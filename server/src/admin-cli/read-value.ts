import { createValidator } from '@conversation-gateway/openapi/validator'
import type { Field } from './contract.ts'
import { ADMIN_DOCUMENT } from './contract.ts'
import type { Schema } from './schema.ts'

export type Reading = { readonly value: unknown } | { readonly fault: string }

const DOCUMENT = 'openapi'

/** Parses the texts of one flag or argument and validates the value against the contract. */
export const readValue = (field: Field, texts: readonly string[]): Reading => {
  const reading = parse(field, texts)
  // The gateway validates composed values, because it explains the nearest alternative.
  if ('fault' in reading || field.type.kind === 'json') return reading
  const fault = explain(field, reading.value)
  return fault === null ? reading : { fault }
}

const parse = ({ type }: Field, texts: readonly string[]): Reading => {
  const text = texts.at(-1) ?? ''
  switch (type.kind) {
    case 'text':
      return { value: text }
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { fault: 'must be an integer' }
    case 'number':
      return /^-?\d{1,15}(\.\d+)?$/.test(text) ? { value: Number(text) } : { fault: 'must be a number' }
    case 'boolean':
      return { value: text === 'true' }
    case 'list':
      return { value: texts.flatMap((items) => (items === '' ? [] : items.split(',').map((item) => item.trim()))) }
    case 'json':
      return parseJson(text)
  }
}

export const parseJson = (text: string): Reading => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'must be JSON' }
  }
}

let validator: ReturnType<typeof createValidator> | undefined

const explain = ({ schema, type }: Field, value: unknown): string | null => {
  validator ??= createValidator(ADMIN_DOCUMENT)
  const validate = validator.compile(withAbsoluteReferences(schema))
  if (validate(value)) return null
  const errors = validate.errors ?? []
  // For a nullable value, report the fault of the alternative that is not null.
  const error = errors.find(({ keyword }) => keyword !== 'type' && keyword !== 'anyOf') ?? errors[0]
  if (error?.keyword === 'enum') return `must be ${type.kind === 'list' ? 'from' : 'one of'} ${type.values?.join(', ')}`
  return error?.message ?? 'breaks the contract'
}

const withAbsoluteReferences = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? `${DOCUMENT}${value}` : value,
  )
