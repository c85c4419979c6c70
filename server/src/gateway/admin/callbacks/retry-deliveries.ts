import { firstIdOf } from '@conversation-gateway/openapi/behaviour/ids'
import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { DELIVERY_WINDOW_MS } from '@conversation-gateway/openapi/behaviour/retry-schedule'
import type { DeliveryRetries, RetryDeliveries } from '@conversation-gateway/openapi/generated/admin-closed'
import { retryNextDeliveries } from '../../../store/admin/retry-deliveries.ts'
import type { GatewayContext } from '../../context.ts'
import { changed } from '../outcomes.ts'
import { readTimeWindow } from '../time-window.ts'

/** Maximum deliveries examined by one transaction, and by one request. */
const BATCH = 500
const MOST = 10_000

/**
 * Opens a fresh delivery window for failed deliveries that were created within a time window, oldest first. Unless
 * `dry_run` is false, it only counts them.
 */
export const retryDeliveries = async (
  { db, clock, wakeups }: GatewayContext,
  body: RetryDeliveries,
): Promise<Admitted<DeliveryRetries> | Refusal> => {
  const now = clock.now()
  const window = readTimeWindow(body, now)
  if ('kind' in window) return window
  const { dry_run: dryRun = true, app_id: appId = null, callback_id: callbackId = null, state = null } = body
  const filter = { appId, callbackId, state, untilId: window.before === null ? null : firstIdOf('dlv', window.before) }
  const counts = { retryable: 0, configuration_disabled: 0, configuration_changed: 0, payload_gone: 0 }
  let fromId: string | null = window.from === null ? null : firstIdOf('dlv', window.from)
  let next: Date | null = null
  for (let looked = 0; looked < MOST; looked += BATCH) {
    const expiresAt = new Date(now.getTime() + DELIVERY_WINDOW_MS)
    const step = await retryNextDeliveries(db, { ...filter, fromId, dryRun, now, expiresAt, rows: BATCH })
    counts.retryable += step.retryable
    counts.configuration_disabled += step.disabled
    counts.configuration_changed += step.changed
    counts.payload_gone += step.gone
    if (!dryRun && step.retryable > 0) wakeups.deliveriesAdded()
    next = step.found < BATCH ? null : step.lastCreatedAt
    if (next === null || step.lastId === null) break
    // The next ID in sort order.
    fromId = `${step.lastId}0`
  }
  return changed({
    dry_run: dryRun,
    retried: dryRun ? 0 : counts.retryable,
    ...counts,
    more: next !== null,
    next_created_after: next?.toISOString() ?? null,
  })
}
