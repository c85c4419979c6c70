/**
 * The checks of the contract's custom keywords. They do not recurse, because a body of 1 MiB can have half a million
 * levels.
 */

/** Whether the text has at most `limit` bytes in UTF-8. One UTF-16 unit takes at least one byte and at most three. */
export function fitsInBytes(text: string, limit: number): boolean {
  if (text.length > limit) return false
  return text.length * 3 <= limit || new TextEncoder().encode(text).length <= limit
}

/** Whether no string and no member name in a JSON value has a lone surrogate or NUL, which no store keeps (D-25). */
export function isWellFormed(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string' && !isWellFormedText(next)) return false
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && !Object.keys(next).every(isWellFormedText)) return false
    for (const member of Object.values(next)) waiting.push(member)
  }
  return true
}

const isWellFormedText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Whether a JSON value has at most `limit` levels of objects and arrays within each other, itself included. */
export function isWithinDepth(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= limit; depth++) {
    level = level.filter((member) => typeof member === 'object' && member !== null)
    if (level.length === 0) return true
    level = level.flatMap((member) => Object.values(member ?? {}))
  }
  return false
}
