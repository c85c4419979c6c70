/**
 * Whether an `Accept` header allows an event stream (RFC 9110, section 12.5.1): the most specific range that matches
 * decides, and a quality of 0 excludes. Without the header, or with an empty one, everything is accepted.
 */
export const acceptsEventStream = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.trim() === '') return true
  let decided = { precision: -1, quality: 0 }
  for (const item of accept.split(',')) {
    const [range, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const precision = RANGES.indexOf(range ?? '')
    if (precision > decided.precision) decided = { precision, quality: qualityOf(parameters) }
  }
  return decided.quality > 0
}

/** Ranges that match, the least specific first. */
const RANGES = ['*/*', 'text/*', 'text/event-stream']

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** An unreadable or absent quality is treated as 1. */
const qualityOf = (parameters: readonly string[]): number => {
  const value = parameters.map((parameter) => QUALITY.exec(parameter)?.[1]).find((match) => match !== undefined)
  return value === undefined ? 1 : Number(value)
}
