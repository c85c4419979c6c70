import type { CancelRuns, RunCancellations } from '@conversation-gateway/sdk/admin'
import { formatCount } from '../../parts/format.ts'

/** The number of runs, as text. */
export const runsOf = (count: number, hasMore = false): string =>
  `${formatCount(count)}${hasMore ? ' and more' : ''} ${count === 1 && !hasMore ? 'run' : 'runs'}`

/** The effects of cancelling the selected runs. Pure. */
export const describeFound = ({ cancelled, stopping }: RunCancellations): readonly string[] => [
  ...(cancelled === 0 ? [] : [`${runsOf(cancelled)} not started: cancelled at once.`]),
  ...(stopping === 0 ? [] : [`${runsOf(stopping)} executing or waiting: cancelled as soon as the assistant confirms.`]),
  'Their applications see cancelled runs. The effects of assistants on other systems remain.',
]

const CANCELLABLE = ['queued', 'running', 'waiting_approval', 'reconciling'] as const

type Filters = Partial<Record<'state' | 'error_code' | 'within', string>> & Omit<CancelRuns, 'state'>

/** The list's filters, limited to cancellable runs; null without filters, or if they match no such run. Pure. */
export const narrowToUnfinished = (filters: Filters, nowMs: number): CancelRuns | null => {
  const { state, within, error_code, ...others } = filters
  if (error_code !== undefined || Object.keys(filters).length === 0) return null
  const known = CANCELLABLE.find((each) => each === state)
  if (state !== undefined && known === undefined) return null
  return {
    ...others,
    ...(known === undefined ? {} : { state: known }),
    ...(within === undefined ? {} : { created_after: new Date(nowMs - Number(within) * 1000).toISOString() }),
  }
}
