import type { Usage } from '@conversation-gateway/sdk/admin'

export type UsageRow = Usage['usage'][number]

const DAY_MS = 24 * 60 * 60 * 1000

/** The outcomes of the runs of a day, in the order of a column from the bottom. */
export const OUTCOMES = ['succeeded', 'unfinished', 'cancelled', 'interrupted', 'expired', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type Counts = Readonly<Record<'admitted' | Outcome | 'input_tokens' | 'output_tokens', number>>

export interface UsageDay extends Counts {
  /** In UTC, as `2026-03-02`. */
  readonly day: string
}

const COUNTED = ['admitted', ...OUTCOMES, 'input_tokens', 'output_tokens'] as const
const NONE: Counts = {
  ...{ admitted: 0, succeeded: 0, unfinished: 0, cancelled: 0, interrupted: 0, expired: 0, failed: 0 },
  ...{ input_tokens: 0, output_tokens: 0 },
}

/** The start of a period of whole days in UTC that ends with today. */
export const startOfDays = (days: number, now: number): Date =>
  new Date(Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS)

/** The sum of the rows. */
export const totalOf = (rows: readonly Counts[]): Counts => rows.reduce(add, NONE)

/**
 * Every day of the period, oldest first, with the sum over all applications. The gateway's answer omits days without
 * runs.
 */
export const daysOf = (rows: readonly UsageRow[], days: number, now: number): UsageDay[] => {
  const start = startOfDays(days, now).getTime()
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return { day, ...totalOf(rows.filter((row) => row.day === day)) }
  })
}

const add = (sum: Counts, row: Counts): Counts => {
  const next = { ...NONE }
  for (const name of COUNTED) next[name] = sum[name] + row[name]
  return next
}
