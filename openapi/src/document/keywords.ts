import type { FuncKeywordDefinition } from 'ajv'
import { fitsInBytes, isWellFormed, isWithinDepth } from './json-values.ts'

/** The custom schema keywords of the contract, for Ajv. */
export const KEYWORDS: FuncKeywordDefinition[] = [
  {
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    errors: false,
    compile: (limit: number) => (text: string) => fitsInBytes(text, limit),
    error: { message: ({ schema }) => `must have at most ${schema} bytes of UTF-8` },
  },
  {
    keyword: 'x-well-formed',
    schemaType: 'boolean',
    errors: false,
    compile: () => isWellFormed,
    error: { message: 'must not hold a lone surrogate or NUL in any string or member name' },
  },
  {
    keyword: 'x-max-depth',
    schemaType: 'number',
    errors: false,
    compile: (limit: number) => (value: unknown) => isWithinDepth(value, limit),
    error: { message: ({ schema }) => `must be nested at most ${schema} levels deep` },
  },
]
