import { scanJson } from './scan-json.ts'
import type { ScannedJson } from './scanned-json.ts'
import { ENTRY_SIZE, endOf, entryAfter, isContainer, kindOf, OPEN_OBJECT, ROOT, startOf } from './scanned-json.ts'

/**
 * As `JSON.parse`, without a fault of V8 13.6 (Node 24.21), which may read a name with an escape wrongly. For example,
 * after any object with the name `\u`, V8 may read a name of two escaped characters as `\u` too, if its object begins
 * with the same members. The two objects may be of different applications.
 * @throws {SyntaxError} when the text is not JSON.
 */
export const parseJson = (text: string): unknown => {
  if (!hasEscapedName(text)) return JSON.parse(text)
  const json = scanJson(Buffer.from(text), LIMITS)
  return 'fault' in json ? JSON.parse(text) : valueAt(json, ROOT)
}

/** As `parseJson`, for a text that is known to be an object. */
export const parseJsonObject = (text: string): Record<string, unknown> => parseJson(text) as Record<string, unknown>

/** Texts that are nested deeper are left to `JSON.parse`, which does not recurse. */
const LIMITS = { nodes: Number.POSITIVE_INFINITY, depth: 1000 }

const QUOTE = '"'
const BACKSLASH = '\\'

/** Looks only at strings with an escape, from the first one on. */
const hasEscapedName = (text: string): boolean => {
  let at = text.indexOf(BACKSLASH)
  while (at !== -1) {
    while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1
    at += 1
    while (isSpace(text[at])) at += 1
    if (text[at] === ':') return true
    at = text.indexOf(BACKSLASH, at)
  }
  return false
}

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'

const valueAt = (json: ScannedJson, entry: number): unknown => {
  const kind = kindOf(json, entry)
  // A string on its own is not affected, only the name of a member.
  if (!isContainer(kind)) return JSON.parse(json.bytes.toString('utf8', startOf(json, entry), endOf(json, entry)))
  const behind = entryAfter(json, entry)
  const values: unknown[] = []
  for (let inner = entry + ENTRY_SIZE; inner < behind; inner = entryAfter(json, inner))
    values.push(valueAt(json, inner))
  if (kind !== OPEN_OBJECT) return values
  // A name is followed by its value.
  return Object.fromEntries(
    Array.from({ length: values.length / 2 }, (_, index) => [values[index * 2], values[index * 2 + 1]]),
  )
}
