import { types } from 'pg'
import { parseJson } from '../../domain/json/parse-json.ts'
import type { Param } from '../db.ts'

const { builtins } = types

/**
 * The conversion of column values, for both databases: 64-bit integers and numerics as numbers (sequence numbers and
 * counts stay far below 2^53), timestamps as Date, json parsed, bytea as Buffer.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.JSON, parseJson],
  [builtins.JSONB, parseJson],
])

export const rowTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers.get(oid) ?? types.getTypeParser(oid, format),
}

/** A parameter in wire format. Dates are sent as UTC text, independent of the process's time zone. */
export const toWire = (param: Param): string | Buffer | null => {
  if (param === null || typeof param === 'string') return param
  if (param instanceof Date) return param.toISOString()
  if (param instanceof Uint8Array) return Buffer.from(param.buffer, param.byteOffset, param.byteLength)
  return String(param)
}
