import { byteAt, isExponent, POINT } from './scanned-json.ts'

/** Digits that a double always holds exactly, and those of the largest one. */
const EXACT_DIGITS = 15
const LARGEST_DIGITS = 309

/**
 * What keeps the JSON number from one byte up to another from being stored and given back (D-55): it is beyond all
 * doubles, or an integer, written without fraction and exponent, between two of them. Fractions are rounded; that is no
 * fault.
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
  // Beyond the digits of the largest double, and a sign, exactness costs more than linear time.
  if (end - start > LARGEST_DIGITS + 1) return BEYOND
  const literal = bytes.toString('latin1', start, end)
  const number = Number(literal)
  if (!Number.isFinite(number)) return BEYOND
  return Number.isSafeInteger(number) || BigInt(number) === BigInt(literal) ? null : INEXACT
}

const BEYOND = 'is beyond the range of numbers'
const INEXACT = 'is an integer with more digits than a number holds exactly; send it as a string'
