import { parseJson } from './parse-json.ts'
import { pointerTo } from './pointer.ts'
import type { ScannedJson } from './scanned-json.ts'
import {
  BACKSLASH,
  byteAt,
  ENTRY_SIZE,
  endOf,
  entryAfter,
  isContainer,
  kindOf,
  OPEN_OBJECT,
  ROOT,
  startOf,
} from './scanned-json.ts'

/**
 * The value of an object's member, the last of equally named ones; null if there is no such member or `object` is not
 * an object.
 */
export const findMember = (json: ScannedJson, object: number, name: string): number | null => {
  if (kindOf(json, object) !== OPEN_OBJECT) return null
  const wanted = Buffer.from(name)
  const behind = entryAfter(json, object)
  let found = null
  for (let member = object + ENTRY_SIZE; member < behind; member = entryAfter(json, member + ENTRY_SIZE))
    if (isNamed(json, member, name, wanted)) found = member + ENTRY_SIZE
  return found
}

/** Whether the entry is a spelling of `name`, whose bytes are `wanted`. */
const isNamed = (json: ScannedJson, member: number, name: string, wanted: Buffer): boolean => {
  const start = startOf(json, member) + 1
  const end = endOf(json, member) - 1
  if (end - start < wanted.length) return false
  // An escape is longer than its character.
  if (end - start > wanted.length)
    return json.bytes.subarray(start, end).includes(BACKSLASH) && nameOf(json, member) === name
  return wanted.every((byte, index) => byteAt(json.bytes, start + index) === byte)
}

/** The original text of an entry. */
export const textOf = (json: ScannedJson, entry: number): string =>
  json.bytes.toString('utf8', startOf(json, entry), endOf(json, entry))

/** The parsed value of an entry. As in every JavaScript object, integer-like names come first. */
export const parsedOf = (json: ScannedJson, entry: number): unknown => parseJson(textOf(json, entry))

export const nameOf = (json: ScannedJson, entry: number): string => String(parsedOf(json, entry))

/** The nesting depth of an entry, itself included. */
export const depthOf = (json: ScannedJson, entry: number): number => {
  if (!isContainer(kindOf(json, entry))) return 0
  let deepest = 0
  const behind = entryAfter(json, entry)
  for (let inner = entry + ENTRY_SIZE; inner < behind; inner = entryAfter(json, inner))
    deepest = Math.max(deepest, depthOf(json, inner))
  return deepest + 1
}

/** The number of values and members of an entry, itself included. */
export const nodesOf = (json: ScannedJson, entry: number): number => (entryAfter(json, entry) - entry) / ENTRY_SIZE

/** The JSON pointer of the last value that a scan found before it broke off. */
export const pointerToLast = (json: ScannedJson): string => {
  const segments: (string | number)[] = []
  let entry = ROOT
  for (let inner = findOpen(json, entry); inner !== null; inner = findOpen(json, entry)) {
    segments.push(inner.segment)
    entry = inner.entry
  }
  return pointerTo(segments)
}

/** The incomplete child of this value; null if there is none. */
const findOpen = (json: ScannedJson, container: number): { segment: string | number; entry: number } | null => {
  const isObject = kindOf(json, container) === OPEN_OBJECT
  let index = 0
  for (let inner = container + ENTRY_SIZE; inner < json.table.length; index += 1) {
    const entry = isObject ? inner + ENTRY_SIZE : inner
    if (endOf(json, entry) === 0) return { segment: isObject ? nameOf(json, inner) : index, entry }
    inner = entryAfter(json, entry)
  }
  return null
}
