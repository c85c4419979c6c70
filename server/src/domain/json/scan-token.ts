import { BACKSLASH, byteAt, isDigit, isExponent, MINUS, POINT, QUOTE } from './scanned-json.ts'

/** Returned if there is no token of the expected kind. Otherwise the functions return the position after the token. */
export const NO_TOKEN = -1

/** A string that begins with the quotation mark at `start`. */
export const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1
  for (let byte = byteAt(bytes, at); byte !== QUOTE; byte = byteAt(bytes, at)) {
    // A control character, or the end of the text.
    if (byte < 0x20) return NO_TOKEN
    const length = byte === BACKSLASH ? escapeLength(bytes, at) : 1
    if (length === 0) return NO_TOKEN
    at += length
  }
  return at + 1
}

export const endOfNumber = (bytes: Uint8Array, start: number): number => {
  const first = byteAt(bytes, start) === MINUS ? start + 1 : start
  let end = byteAt(bytes, first) === ZERO ? first + 1 : endOfDigits(bytes, first)
  if (end !== NO_TOKEN && byteAt(bytes, end) === POINT) end = endOfDigits(bytes, end + 1)
  if (end === NO_TOKEN || !isExponent(byteAt(bytes, end))) return end
  const sign = byteAt(bytes, end + 1)
  return endOfDigits(bytes, sign === PLUS || sign === MINUS ? end + 2 : end + 1)
}

/** `true`, `false` or `null`. */
export const endOfWord = (bytes: Uint8Array, start: number): number => {
  const word = WORDS.find(([letter]) => letter === byteAt(bytes, start))
  const isThere = word?.every((letter, index) => byteAt(bytes, start + index) === letter) ?? false
  return word !== undefined && isThere ? start + word.length : NO_TOKEN
}

const ZERO = 0x30
const PLUS = 0x2b

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const WORDS = ['true', 'false', 'null'].map(bytesOf)

/** The characters allowed after a backslash, besides `u` and four hexadecimal digits. */
const ESCAPED: ReadonlySet<number> = new Set(bytesOf('"\\/bfnrt'))

const endOfDigits = (bytes: Uint8Array, start: number): number => {
  let at = start
  while (isDigit(byteAt(bytes, at))) at += 1
  return at === start ? NO_TOKEN : at
}

/** The length of the escape that begins here; 0 if it is invalid. */
const escapeLength = (bytes: Uint8Array, at: number): number => {
  const kind = byteAt(bytes, at + 1)
  if (kind !== 0x75) return ESCAPED.has(kind) ? 2 : 0
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexDigit(byteAt(bytes, digit))) return 0
  return 6
}

const isHexDigit = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46)
