import type { FuncKeywordDefinition } from 'ajv'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { KEYWORDS } from './keywords.ts'

export { isWithinDepth } from './json-values.ts'

/** Members of an OpenAPI document that say nothing to a validator. */
const ANNOTATIONS = [
  'discriminator',
  'example',
  'externalDocs',
  'xml',
  'x-open',
  'x-open-enum',
  'x-item-schema',
  'x-verbatim',
]

const DOCUMENT = 'openapi'

const isDateTime = new Ajv2020({
  formats: { 'date-time': addFormats.default.get('date-time') },
  // Holding one line against the schema of schemas takes longer than all that is loaded for it.
  validateSchema: false,
}).compile({ type: 'string', format: 'date-time' })
const OFFSET = /(?:z|[+-]\d{2}:\d{2})$/i

/** An Ajv that knows the contract's keywords and formats and has the bundled document loaded; compile
 *  `{ $ref: schemaAt('components', 'schemas', 'Run') }`. All faults are reported, nothing is coerced, removed or filled in
 *  unless `options` say so. */
export function createValidator(document: object, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    removeAdditional: false,
    validateSchema: false,
    ...options,
  })
  addFormats.default(ajv, { mode: 'full' })
  // The library also takes offsets without a colon or without minutes, which RFC 3339 does not have.
  ajv.addFormat('date-time', (text) => OFFSET.test(text) && isDateTime(text))
  // The width is told to those who generate code; the type and the bounds of a schema say all that is to be checked.
  for (const width of ['int32', 'int64']) ajv.addFormat(width, true)
  ajv.addVocabulary([...Object.keys(document).filter((name) => name !== '$schema'), ...ANNOTATIONS])
  for (const keyword of KEYWORDS) ajv.addKeyword(keyword satisfies FuncKeywordDefinition)
  return ajv.addSchema(document, DOCUMENT)
}

/** An Ajv for JSON Schemas of draft 2020-12 that are no part of a contract. Formats are checked, unknown keywords are not. */
export function createSchemaValidator(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, ...options })
  addFormats.default(ajv, { mode: 'full' })
  return ajv
}

/** The reference of what stands in the loaded document under these members. */
export const schemaAt = (...members: string[]): string =>
  `${DOCUMENT}#/${members.map((member) => encodeURIComponent(member.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
