/** Minimum length of a token that an operator chooses: slightly more than 128 random bits in base64. */
export const TOKEN_CHARACTERS = 24

/** Faults of a secret, phrased to follow its name. */
export type Weakness = 'repeats itself' | 'is a sequence' | 'has too few different characters'

/** Minimum entropy by the frequencies of a secret's characters. Random secrets are far above. */
const BITS = 64

/**
 * Why a secret could be guessed; null for one that may be random. It detects placeholders, not dictionary words.
 * @param values its bytes, or the codes of its characters.
 */
export const findWeakness = (values: Uint8Array): Weakness | null => {
  if (repeats(values)) return 'repeats itself'
  if (isSequence(values)) return 'is a sequence'
  return information(values) < BITS ? 'has too few different characters' : null
}

/** Whether the secret repeats its beginning until its end. */
const repeats = (values: Uint8Array): boolean => {
  for (let period = 1; period * 2 <= values.length; period += 1)
    if (values.every((value, index) => index < period || value === values[index - period])) return true
  return false
}

/** Whether most adjacent characters differ by the same step. */
const isSequence = (values: Uint8Array): boolean => {
  const steps = new Map<number, number>()
  for (const [index, value] of values.entries()) {
    const before = values[index - 1]
    if (before !== undefined) steps.set(value - before, (steps.get(value - before) ?? 0) + 1)
  }
  return Math.max(...steps.values()) * 2 > values.length
}

/** Shannon entropy in bits, from the frequencies of its values. */
const information = (values: Uint8Array): number => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / values.length)
  return bits
}
