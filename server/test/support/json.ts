import { JsonText } from '../../src/domain/json/json-text.ts'
import { WEBHOOK_LIMITS } from '../../src/domain/json/limits.ts'
import { readValue } from '../../src/domain/json/read-value.ts'
import { scanJson } from '../../src/domain/json/scan-json.ts'
import type { ScannedJson } from '../../src/domain/json/scanned-json.ts'

/** A scanned JSON text. */
export const scanned = (text: string): ScannedJson => {
  const json = scanJson(Buffer.from(text), WEBHOOK_LIMITS)
  if ('fault' in json) throw new Error(`${json.fault}: ${text.slice(0, 100)}`)
  return json
}

/** An object as the JSON text that a client sends. */
export const jsonText = (value: Readonly<Record<string, unknown>>): JsonText => {
  const text = readValue(scanned(`{"kept":${JSON.stringify(value)}}`), [['kept']])
  if (typeof text === 'object' && text !== null && 'kept' in text && text.kept instanceof JsonText) return text.kept
  throw new Error('expected an object')
}
