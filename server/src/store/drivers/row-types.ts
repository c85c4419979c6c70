import { types } from 'pg'
import type { Param } from '../db.ts'

const { builtins } = types

/**
 * How column values reach the store, on both databases: 64-bit integers and numerics as numbers (sequence numbers and
 * counts stay far below 2^53), timestamps as Date, json parsed, bytea as Buffer.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.JSON, JSON.parse],
  [builtins.JSONB, JSON.parse],
])

export const rowTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers.get(oid) ?? types.getTypeParser(oid, format),
}

/** A parameter as the wire carries it. Dates go as UTC text, so that the zone of the process does not matter. */
export const toWire = (param: Param): string | Buffer | null => {
  if (param === null || typeof param === 'string') return param
  if (param instanceof Date) return param.toISOString()
  if (param instanceof Uint8Array) return Buffer.from(param.buffer, param.byteOffset, param.byteLength)
  return String(param)
}
