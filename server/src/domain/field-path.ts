import { findMember } from './json/find-value.ts'
import { pointerTo } from './json/pointer.ts'
import type { ScannedJson } from './json/scanned-json.ts'
import { isNull, kindOf, OPEN_OBJECT, ROOT } from './json/scanned-json.ts'

/** The result of a path in a body. `blocked`: a value on the path is not an object; the pointer is its location. */
export type FieldReading =
  | { readonly kind: 'value'; readonly entry: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'blocked'; readonly pointer: string }

/**
 * Finds the value at a path of member names joined by dots, through objects only: no list is entered. `null`, at the
 * end or on the way, is treated as absent (D-34). Values beside the path are not checked (D-56).
 */
export const readField = (body: ScannedJson, path: string): FieldReading => {
  const segments = path.split('.')
  let entry = ROOT
  for (const [index, segment] of segments.entries()) {
    if (kindOf(body, entry) !== OPEN_OBJECT) return { kind: 'blocked', pointer: pointerTo(segments.slice(0, index)) }
    const member = findMember(body, entry, segment)
    if (member === null || isNull(body, member)) return ABSENT
    entry = member
  }
  return { kind: 'value', entry }
}

/** The JSON pointer (RFC 6901) with the same segments as a path. */
export const pointerOfPath = (path: string): string => pointerTo(path.split('.'))

const ABSENT: FieldReading = { kind: 'absent' }
