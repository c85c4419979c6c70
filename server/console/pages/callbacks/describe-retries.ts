import type { DeliveryRetries } from '@conversation-gateway/sdk/admin'
import { formatCount } from '../../parts/format.ts'

/** The number of deliveries, as text. */
export const noun = (count: number, hasMore = false): string =>
  `${formatCount(count)}${hasMore ? ' and more' : ''} ${count === 1 && !hasMore ? 'delivery' : 'deliveries'}`

/** The effects of retrying the selected deliveries. Pure. */
export const describeFound = (found: DeliveryRetries): readonly string[] => {
  const left = [
    [found.configuration_disabled, 'the callback is disabled'],
    [found.configuration_changed, 'the callback has changed since'],
    [found.payload_gone, 'the content is no longer retained'],
  ] as const
  return [
    `${noun(found.retryable, found.more)} will be pending again, each with 8 further attempts within 24 hours.`,
    'Receivers get them with the same IDs and texts, so that they recognise any that they have already received.',
    ...left.filter(([count]) => count > 0).map(([count, why]) => `${noun(count)} cannot be retried: ${why}.`),
  ]
}
