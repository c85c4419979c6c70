import type { ScannedJson } from './scanned-json.ts'
import { BACKSLASH, byteAt, ENTRY_SIZE, endOf, kindOf, QUOTE, readUnit, startOf } from './scanned-json.ts'

/**
 * Normalises every string: only required characters are escaped, in the shortest form. The strings must be well-formed.
 * A text without escapes is returned unchanged.
 */
export const plainStrings = (json: ScannedJson): ScannedJson => {
  if (!json.bytes.includes(BACKSLASH)) return json
  // No string gets longer. Changed strings are appended after the original text.
  const bytes = Buffer.allocUnsafe(json.bytes.length * 2)
  const writer: Writer = { bytes, size: json.bytes.copy(bytes) }
  const table = json.table.slice()
  for (let entry = 0; entry < table.length; entry += ENTRY_SIZE) {
    if (kindOf(json, entry) !== QUOTE) continue
    const start = startOf(json, entry)
    const end = endOf(json, entry)
    if (!hasEscape(json.bytes, start, end)) continue
    table[entry] = writer.size
    writePlain(writer, json.bytes, start, end)
    table[entry + 1] = writer.size
  }
  return { bytes: bytes.subarray(0, writer.size), table, nodes: json.nodes }
}

interface Writer {
  readonly bytes: Buffer
  size: number
}

const put = (writer: Writer, byte: number): void => {
  writer.bytes[writer.size] = byte
  writer.size += 1
}

const hasEscape = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return true
  return false
}

const writePlain = (writer: Writer, bytes: Buffer, start: number, end: number): void => {
  for (let at = start; at < end; ) {
    const byte = byteAt(bytes, at)
    if (byte !== BACKSLASH) {
      put(writer, byte)
      at += 1
      continue
    }
    const kind = byteAt(bytes, at + 1)
    if (kind !== LETTER_U) {
      if (kind !== SLASH) put(writer, BACKSLASH)
      put(writer, kind)
      at += 2
      continue
    }
    const unit = readUnit(bytes, at + 2)
    const isPair = unit >= 0xd800 && unit <= 0xdbff
    writeCharacter(writer, isPair ? ((unit & 0x3ff) << 10) + (readUnit(bytes, at + 8) & 0x3ff) + 0x10000 : unit)
    at += isPair ? 12 : 6
  }
}

const LETTER_U = 0x75
const SLASH = 0x2f

/** The escape of each control character. */
const CONTROLS = Array.from({ length: 0x20 }, (_, point) =>
  Buffer.from(JSON.stringify(String.fromCharCode(point)).slice(1, -1)),
)

const writeCharacter = (writer: Writer, point: number): void => {
  if (point < 0x20) writer.size += CONTROLS[point]?.copy(writer.bytes, writer.size) ?? 0
  else if (point < 0x80) {
    if (point === QUOTE || point === BACKSLASH) put(writer, BACKSLASH)
    put(writer, point)
  } else if (point < 0x800) {
    put(writer, 0xc0 | (point >> 6))
    put(writer, 0x80 | (point & 0x3f))
  } else if (point < 0x10000) {
    put(writer, 0xe0 | (point >> 12))
    put(writer, 0x80 | ((point >> 6) & 0x3f))
    put(writer, 0x80 | (point & 0x3f))
  } else {
    put(writer, 0xf0 | (point >> 18))
    put(writer, 0x80 | ((point >> 12) & 0x3f))
    put(writer, 0x80 | ((point >> 6) & 0x3f))
    put(writer, 0x80 | (point & 0x3f))
  }
}
