import { isWithinDepth } from '@conversation-gateway/openapi/validator'
import type { KeywordDefinition } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { JsonText } from '../json/json-text.ts'

/**
 * Schema keywords for objects that are kept as text. The rest of the validator sees a `JsonText` as any other object;
 * these keywords read its content.
 */
export const TEXT_KEYWORDS: readonly KeywordDefinition[] = [
  ofObjects('minProperties', (value, least) =>
    value instanceof JsonText ? least <= (value.isEmpty ? 0 : 1) : Object.keys(value).length >= least,
  ),
  ofObjects('x-max-depth', (value, most) =>
    value instanceof JsonText ? value.depth <= most : isWithinDepth(value, most),
  ),
]

function ofObjects(keyword: string, accepts: (value: object, limit: number) => boolean): KeywordDefinition {
  return {
    keyword,
    type: 'object',
    schemaType: 'number',
    errors: true,
    compile: (limit: number) => {
      const validate: DataValidateFunction = (value: object) => {
        validate.errors = [{ keyword, params: { limit } }]
        return accepts(value, limit)
      }
      return validate
    },
  }
}
