import type { RetryDeliveries } from '@conversation-gateway/sdk/admin'
import { useState } from 'preact/hooks'
import { describeError } from '../../data/describe-error.ts'
import { gateway } from '../../data/gateway.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { announce } from '../../parts/announcer.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { describeFound, noun } from './describe-retries.ts'

/** The time windows in seconds, with their labels. */
const WINDOWS = [
  ['3600', 'the last hour'],
  ['86400', 'the last day'],
  ['604800', 'the last week'],
] as const

export type Narrowed = Pick<RetryDeliveries, 'app_id' | 'callback_id' | 'state'>

/** Retries undelivered events of a time window that match the list's filters, after counting them. */
export const RetryMany = ({ narrowed, onDone }: { narrowed: Narrowed; onDone: () => void }) => {
  const [withinSeconds, setWithinSeconds] = useState<string>(WINDOWS[1][0])
  const count = async (): Promise<void> => {
    const wanted = { ...narrowed, created_after: new Date(Date.now() - Number(withinSeconds) * 1000).toISOString() }
    const found = await gateway().callbacks.retryDeliveries({ ...wanted, dry_run: true })
    if (found.retryable === 0) return announce('There is nothing to retry in this window.')
    confirm({
      title: `Retry ${noun(found.retryable, found.more)}?`,
      consequences: describeFound(found),
      action: 'Retry them',
      run: async () => {
        await retryAll(wanted)
        onDone()
      },
      done: 'They are pending again.',
    })
  }
  return (
    <span class="retry-many">
      <label>
        <span class="visually-hidden">Window of the deliveries to retry</span>
        <select value={withinSeconds} onChange={({ currentTarget }) => setWithinSeconds(currentTarget.value)}>
          {WINDOWS.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ActionButton
        operation="retryDeliveries"
        onClick={() => void count().catch((error: unknown) => announce(describeError(error)))}
      >
        Retry many
      </ActionButton>
    </span>
  )
}

/** The gateway retries a limited number of deliveries per request, and returns where to continue. */
const retryAll = async (wanted: RetryDeliveries): Promise<void> => {
  let from: string | null = wanted.created_after
  while (from !== null) {
    const done = await gateway().callbacks.retryDeliveries({ ...wanted, created_after: from, dry_run: false })
    from = done.more ? done.next_created_after : null
  }
}
