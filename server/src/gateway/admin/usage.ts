import { firstIdOf } from '@conversation-gateway/openapi/behaviour/ids'
import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Usage } from '@conversation-gateway/openapi/generated/admin-closed'
import { readUsage } from '../../store/admin/usage.ts'
import type { GatewayContext } from '../context.ts'
import type { TimeWindow } from './time-window.ts'
import { readTimeWindow } from './time-window.ts'

const DAY_MS = 24 * 3_600_000
const USUAL_DAYS = 7
const MOST_DAYS = 31

/**
 * Runs, tokens and costs by application, or by service, and day of admission, newest day first. A window of more than
 * 31 days is INVALID_REQUEST.
 */
export const listUsage = async (
  { db, clock }: GatewayContext,
  query: Pick<TimeWindow, 'created_after' | 'created_before'> & {
    readonly app_id?: string
    readonly by?: 'application' | 'service'
  },
): Promise<Found<Usage> | Refusal> => {
  const now = clock.now()
  const window = readTimeWindow(query, now)
  if ('kind' in window) return window
  const before = window.before ?? new Date(now.getTime() + 1)
  const from = window.from ?? new Date(before.getTime() - USUAL_DAYS * DAY_MS)
  if (before.getTime() - from.getTime() > MOST_DAYS * DAY_MS + 1) return TOO_LONG
  const rows = await readUsage(db, query.app_id ?? null, {
    fromId: firstIdOf('run', from),
    untilId: firstIdOf('run', before),
    byService: query.by === 'service',
  })
  return found({
    usage: rows.map(
      ({ appId, endpointId, day, admitted, succeeded, failed, cancelled, interrupted, expired, ...used }) => ({
        app_id: appId,
        endpoint_id: endpointId,
        day,
        admitted,
        succeeded,
        failed,
        cancelled,
        interrupted,
        expired,
        unfinished: admitted - succeeded - failed - cancelled - interrupted - expired,
        input_tokens: used.inputTokens,
        output_tokens: used.outputTokens,
        costs: used.costs,
      }),
    ),
  })
}

const TOO_LONG = refuse('INVALID_REQUEST', `The window may have at most ${MOST_DAYS} days.`, {
  faults: [{ pointer: 'created_after', message: `must be at most ${MOST_DAYS} days before created_before` }],
})
