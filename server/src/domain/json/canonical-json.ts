import { plainStrings } from './plain-strings.ts'
import type { ScannedJson } from './scanned-json.ts'
import {
  byteAt,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  ENTRY_SIZE,
  endOf,
  entryAfter,
  isDigit,
  isLetter,
  MINUS,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  ROOT,
  startOf,
} from './scanned-json.ts'
import { compareNames, sortByName } from './sort-by-name.ts'

/**
 * The text in its canonical form: members sorted by name, no white space, numbers and strings as ECMAScript writes
 * them. Of members with equal names, only the last remains. This is the form of RFC 8785, except that names are sorted
 * by their UTF-8 bytes. Texts with the same content have the same canonical form (D-11). The strings must be
 * well-formed.
 */
export const canonicalJson = (json: ScannedJson): Buffer => {
  const writer = new Writer(plainStrings(json))
  writer.writeValue(ROOT)
  return writer.out.subarray(0, writer.size)
}

/** An integer of at most this many characters is exact as a double, and is copied unchanged. */
const PLAIN_DIGITS = 15
/** Maximum bytes of a written number. */
const NUMBER_BYTES = 25
/** Above this many bytes, a native copy is faster than a loop. */
const LONG_BYTES = 64

class Writer {
  readonly json: ScannedJson
  readonly bytes: Buffer
  readonly out: Buffer
  size = 0

  constructor(json: ScannedJson) {
    this.json = json
    this.bytes = json.bytes
    this.out = Buffer.allocUnsafe(json.bytes.length + json.nodes * NUMBER_BYTES)
  }

  writeValue(entry: number): void {
    const start = startOf(this.json, entry)
    const first = byteAt(this.bytes, start)
    if (first === OPEN_OBJECT) this.writeObject(entry)
    else if (first === OPEN_LIST) this.writeList(entry)
    else if (first === QUOTE || isLetter(first)) this.copy(start, endOf(this.json, entry))
    else this.writeNumber(start, endOf(this.json, entry))
  }

  writeList(entry: number): void {
    const { json } = this
    const behind = entryAfter(json, entry)
    const first = entry + ENTRY_SIZE
    this.put(OPEN_LIST)
    for (let item = first; item < behind; item = entryAfter(json, item)) {
      if (item > first) this.put(COMMA)
      this.writeValue(item)
    }
    this.put(CLOSE_LIST)
  }

  writeObject(entry: number): void {
    const { json } = this
    const names = namesOf(json, entry)
    sortByName(json, names)
    this.put(OPEN_OBJECT)
    let separator = false
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? 0
      const next = names[index + 1]
      if (next !== undefined && compareNames(json, name, next) === 0) continue
      if (separator) this.put(COMMA)
      separator = true
      this.copy(startOf(json, name), endOf(json, name))
      this.put(COLON)
      this.writeValue(name + ENTRY_SIZE)
    }
    this.put(CLOSE_OBJECT)
  }

  writeNumber(start: number, end: number): void {
    if (end - start <= PLAIN_DIGITS && isPlain(this.bytes, start, end)) this.copy(start, end)
    else this.size += this.out.write(String(Number(this.bytes.toString('latin1', start, end))), this.size, 'latin1')
  }

  put(byte: number): void {
    this.out[this.size] = byte
    this.size += 1
  }

  copy(start: number, end: number): void {
    const { bytes, out, size } = this
    if (end - start > LONG_BYTES) bytes.copy(out, size, start, end)
    else for (let at = start; at < end; at += 1) out[size + at - start] = byteAt(bytes, at)
    this.size = size + end - start
  }
}

/** The entries of an object's names, in their original order. */
const namesOf = (json: ScannedJson, object: number): number[] => {
  const names: number[] = []
  const behind = entryAfter(json, object)
  for (let name = object + ENTRY_SIZE; name < behind; name = entryAfter(json, name + ENTRY_SIZE)) names.push(name)
  return names
}

/** Whether a number is an integer without fraction and exponent, and not -0. */
const isPlain = (bytes: Uint8Array, start: number, end: number): boolean => {
  const isNegative = byteAt(bytes, start) === MINUS
  if (isNegative && byteAt(bytes, start + 1) === 0x30) return false
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) if (!isDigit(byteAt(bytes, at))) return false
  return true
}
