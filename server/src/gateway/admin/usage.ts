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

/** Runs by application and day of admission, newest day first. A window of more than 31 days is INVALID_REQUEST. */
export const listUsage = async (
  { db, clock }: GatewayContext,
  query: Pick<TimeWindow, 'created_after' | 'created_before'> & { readonly app_id?: string },
): Promise<Found<Usage> | Refusal> => {
  const now = clock.now()
  const window = readTimeWindow(query, now)
  if ('kind' in window) return window
  const before = window.before ?? new Date(now.getTime() + 1)
  const from = window.from ?? new Date(before.getTime() - USUAL_DAYS * DAY_MS)
  if (before.getTime() - from.getTime() > MOST_DAYS * DAY_MS + 1) return TOO_LONG
  const rows = await readUsage(db, query.app_id ?? null, firstIdOf('run', from), firstIdOf('run', before))
  return found({
    usage: rows.map(({ appId, day, admitted, succeeded, failed, cancelled, interrupted, expired }) => ({
      app_id: appId,
      day,
      admitted,
      succeeded,
      failed,
      cancelled,
      interrupted,
      expired,
      unfinished: admitted - succeeded - failed - cancelled - interrupted - expired,
    })),
  })
}

const TOO_LONG = refuse('INVALID_REQUEST', `The window may have at most ${MOST_DAYS} days.`, {
  faults: [{ pointer: 'created_after', message: `must be at most ${MOST_DAYS} days before created_before` }],
})
