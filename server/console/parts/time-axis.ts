import { formatMoment } from './format.ts'

/** The time axis of a chart; times are in seconds since 1970. */

const SHORTEST_SECONDS = 5 * 60

/** From the first to the last moment, but at least five minutes: for a single moment, uPlot would show a whole day. */
export const timeRange = (first: number, last: number): [first: number, last: number] => [
  Math.min(first, last - SHORTEST_SECONDS),
  last,
]

/** Seconds between two labels, so that labels are at whole minutes. */
export const LABEL_STEPS = [60, 120, 300, 600, 900, 1800]

/** A moment as the reader's clock shows it: `09:30`. */
export const formatClock = (seconds: number): string => formatMoment(new Date(seconds * 1000)).slice(11, 16)
