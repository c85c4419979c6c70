/** Times, counts and names as the console writes them. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time in at most two units: `840 ms`, `1.2 s`, `12 s`, `3 min 20 s`, `5 h 2 min`, `2 d 3 h`. */
export const formatDuration = (ms: number): string => {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`
  if (ms < HOUR) return twoUnits(ms, MINUTE, 'min', SECOND, 's')
  if (ms < DAY) return twoUnits(ms, HOUR, 'h', MINUTE, 'min')
  return twoUnits(ms, DAY, 'd', HOUR, 'h')
}

const twoUnits = (ms: number, large: number, largeName: string, small: number, smallName: string): string => {
  const whole = Math.floor(ms / large)
  const rest = Math.floor((ms % large) / small)
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`
}

/** How long ago, in one unit. */
export const formatAgo = (ms: number): string => {
  if (ms < 2 * SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  return `${Math.floor(ms / DAY)} d ago`
}

/** How far ahead, in at most two units; `due` for a moment that has passed. */
export const formatAhead = (ms: number): string => (ms <= 0 ? 'due' : `in ${formatDuration(ms)}`)

/** A moment in the reader's own time zone: `2026-03-02 09:30:01`, or `2026-03-02 09:30:01.250` with milliseconds. */
export const formatMoment = (moment: Date, withMs = false): string => {
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`
  return withMs ? `${day} ${time}.${String(moment.getMilliseconds()).padStart(3, '0')}` : `${day} ${time}`
}

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const formatCount = (count: number): string =>
  Math.abs(count) < 100_000 ? COUNT.format(count) : COMPACT.format(count)

/** A limit with all its digits: `100,000`. */
export const formatLimit = (limit: number | null): string => (limit === null ? 'no limit' : COUNT.format(limit))

/**
 * Shortens a generated ID to its last digits, which distinguish it from IDs of the same time. Other IDs stay unchanged.
 */
export const shortenId = (id: string): string => {
  const [, prefix, digits] = /^([a-z]+_)([0-9a-f]{32})$/.exec(id) ?? []
  return digits === undefined ? id : `${prefix}…${digits.slice(-10)}`
}

/** A code or state as words: `waiting_approval` is `waiting approval`. */
export const asWords = (name: string): string => name.replaceAll('_', ' ')
