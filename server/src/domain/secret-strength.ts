/** Fewest characters of a token that an operator chooses: what 128 random bits need in base64, and a little more. */
export const TOKEN_CHARACTERS = 24

/** What a secret may not be, in words that follow its name. */
export type Weakness = 'repeats itself' | 'is a sequence' | 'has too few different characters'

/** Least information that the frequencies of a secret's characters must allow for. Random secrets are far above. */
const BITS = 64

/**
 * Why a secret could be guessed; null for one that may be random. It finds placeholders, not words: only a random
 * source makes a good secret.
 * @param values its bytes, or the codes of its characters.
 */
export const findWeakness = (values: Uint8Array): Weakness | null => {
  if (repeats(values)) return 'repeats itself'
  if (isSequence(values)) return 'is a sequence'
  return information(values) < BITS ? 'has too few different characters' : null
}

/** Whether all of it is its beginning again, at least twice. */
const repeats = (values: Uint8Array): boolean => {
  for (let period = 1; period * 2 <= values.length; period += 1)
    if (values.every((value, index) => index < period || value === values[index - period])) return true
  return false
}

/** Whether most neighbours differ by the same step. */
const isSequence = (values: Uint8Array): boolean => {
  const steps = new Map<number, number>()
  for (const [index, value] of values.entries()) {
    const before = values[index - 1]
    if (before !== undefined) steps.set(value - before, (steps.get(value - before) ?? 0) + 1)
  }
  return Math.max(...steps.values()) * 2 > values.length
}

/** Bits by the frequencies of its values, as if each were drawn by itself. */
const information = (values: Uint8Array): number => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / values.length)
  return bits
}
