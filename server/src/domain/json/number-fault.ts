import { byteAt, isExponent, POINT } from './scanned-json.ts'

/** Number of digits that a double always holds exactly, and the digits of the largest double. */
const EXACT_DIGITS = 15
const LARGEST_DIGITS = 309

/**
 * Why the JSON number between two bytes cannot be stored and returned (D-55): it exceeds all doubles, or it is an
 * integer without fraction and exponent that no double holds exactly. Rounded fractions are not a fault.
 */
export const numberFault = (bytes: Buffer, start: number, end: number): string | null => {
  const isLong = end - start > EXACT_DIGITS
  let isInteger = true
  for (let at = start; at < end; at += 1) {
    const byte = byteAt(bytes, at)
    if (isExponent(byte)) return isDouble(bytes, start, end) ? null : BEYOND
    if (byte === POINT) isInteger = false
  }
  if (!isLong) return null
  if (isInteger) return integerFault(bytes, start, end)
  return end - start <= LARGEST_DIGITS || isDouble(bytes, start, end) ? null : BEYOND
}

const isDouble = (bytes: Buffer, start: number, end: number): boolean =>
  Number.isFinite(Number(bytes.toString('latin1', start, end)))

const integerFault = (bytes: Buffer, start: number, end: number): string | null => {
  // Even if one character is a sign, there are more digits than the largest double has. Skip the exact comparison,
  // which takes more than linear time.
  if (end - start > LARGEST_DIGITS + 1) return BEYOND
  const literal = bytes.toString('latin1', start, end)
  const number = Number(literal)
  if (!Number.isFinite(number)) return BEYOND
  return Number.isSafeInteger(number) || BigInt(number) === BigInt(literal) ? null : INEXACT
}

const BEYOND = 'is beyond the range of numbers'
const INEXACT = 'is an integer with more digits than a number holds exactly; send it as a string'
