/** Prefixes of the identifiers that the gateway issues (D-01). */
export type IdPrefix =
  | 'conv'
  | 'msg'
  | 'run'
  | 'op'
  | 'evt'
  | 'res'
  | 'ws'
  | 'app'
  | 'key'
  | 'dev'
  | 'ep'
  | 'wh'
  | 'cb'
  | 'dlv'
  | 'apr'
  | 'req'
  | 'ers'
  | 'opr'
  | 'aud'

/**
 * A new identifier: the prefix and a time-ordered UUIDv7 in lower-case hexadecimal without dashes (D-01).
 * @param now The creation time of the identified record, so that identifiers sort by creation time. Consecutive
 *   identifiers of this process with the same time sort in the order of their creation. Default: the current time,
 *   unordered within its millisecond.
 */
export const newId = (prefix: IdPrefix, now?: Date): string => {
  // `randomUUID` draws random bits in bulk. The usual library takes four times as long; an admission needs four IDs.
  const random = crypto.randomUUID()
  const milliseconds = now?.getTime() ?? Date.now()
  const place = now === undefined ? placeOf(random) : placeWithin(milliseconds, random)
  const upper = (place >>> LOWER_BITS).toString(16).padStart(3, '0')
  const lower = (VARIANT | (place & LOWER_MASK)).toString(16)
  return `${prefix}_${milliseconds.toString(16).padStart(12, '0')}7${upper}${lower}${random.slice(24)}`
}

/** The lower bound of identifiers from this time on. */
export const firstIdOf = (prefix: IdPrefix, moment: Date): string =>
  `${prefix}_${Math.max(0, moment.getTime()).toString(16).padStart(12, '0')}`

/** The creation time in an identifier; null if it was not created by `newId`. */
export const momentOfId = (id: string): Date | null => {
  const hex = /^[a-z]+_([0-9a-f]{12})7/.exec(id)?.[1]
  return hex === undefined ? null : new Date(Number.parseInt(hex, 16))
}

/** Of the 26 bits behind the time, 12 come before the variant and 14 after it. */
const LOWER_BITS = 14
const LOWER_MASK = 0x3fff
const VARIANT = 0x8000

/** The initial counter of a millisecond: random in the lower half, so that it can be incremented. */
const placeOf = (random: string): number => Number.parseInt(random.slice(0, 8), 16) & 0x1ffffff

/** The time of the last identifier, and its counter within that time. */
let last = { milliseconds: 0, place: 0 }

const placeWithin = (milliseconds: number, random: string): number => {
  const place = milliseconds === last.milliseconds ? last.place + 1 : placeOf(random)
  last = { milliseconds, place }
  return place
}

const IDENTIFIER = /^[A-Za-z0-9_-]{1,128}$/

/** Whether a value from a path can be an identifier. Any other value is answered like an unknown ID (404, not 400). */
export const isIdentifier = (value: string): boolean => IDENTIFIER.test(value)
