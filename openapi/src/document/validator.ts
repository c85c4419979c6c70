import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { KEYWORDS } from './keywords.ts'

export { isWithinDepth } from './json-values.ts'

/** Members of an OpenAPI document that validators ignore. */
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
  // Validating this one-line schema would take longer than loading everything else here.
  validateSchema: false,
}).compile({ type: 'string', format: 'date-time' })
const OFFSET = /(?:z|[+-]\d{2}:\d{2})$/i

/**
 * An Ajv with the keywords and formats of the contract and with the bundled document. Compile
 * `{ $ref: schemaAt('components', 'schemas', 'Run') }`. It reports all faults, and coerces, removes or fills in nothing
 * unless `options` say so.
 */
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
  // The library also accepts offsets without a colon or without minutes, which RFC 3339 forbids.
  ajv.addFormat('date-time', (text) => OFFSET.test(text) && isDateTime(text))
  // The width is information for code generators; schemas declare type and bounds separately.
  for (const width of ['int32', 'int64']) ajv.addFormat(width, true)
  ajv.addVocabulary([...Object.keys(document).filter((name) => name !== '$schema'), ...ANNOTATIONS])
  for (const keyword of KEYWORDS) ajv.addKeyword(keyword)
  return ajv.addSchema(document, DOCUMENT)
}

/** An Ajv for JSON Schemas of draft 2020-12 outside the contracts. Formats are checked, unknown keywords are not. */
export function createSchemaValidator(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, ...options })
  addFormats.default(ajv, { mode: 'full' })
  return ajv
}

/** The reference to the value at a path of members in the document. */
export const schemaAt = (...members: string[]): string =>
  `${DOCUMENT}#/${members.map((member) => encodeURIComponent(member.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
