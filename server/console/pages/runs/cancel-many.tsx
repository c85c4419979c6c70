import type { CancelRuns } from '@conversation-gateway/sdk/admin'
import { describeError } from '../../data/describe-error.ts'
import { gateway } from '../../data/gateway.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { announce } from '../../parts/announcer.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { describeFound, runsOf } from './describe-cancellations.ts'

/** Cancels the unfinished runs that match the list's filters, after counting them. */
export const CancelMany = ({ narrowed, onDone }: { narrowed: CancelRuns; onDone: () => void }) => {
  const count = async (): Promise<void> => {
    const found = await gateway().runs.cancelMany({ ...narrowed, dry_run: true })
    if (found.matching === 0) return announce('There is no unfinished run to cancel.')
    confirm({
      title: `Cancel ${runsOf(found.matching, found.more)}?`,
      consequences: describeFound(found),
      action: 'Cancel them',
      isDangerous: true,
      run: async () => {
        await cancelAll(narrowed)
        onDone()
      },
      done: 'Asked to stop.',
    })
  }
  return (
    <ActionButton
      operation="cancelRunRecords"
      onClick={() => void count().catch((error: unknown) => announce(describeError(error)))}
    >
      Cancel these
    </ActionButton>
  )
}

/** The gateway cancels a limited number of runs per request, and returns where to continue. */
const cancelAll = async (narrowed: CancelRuns): Promise<void> => {
  let before: string | null = null
  do {
    const page: CancelRuns = before === null ? narrowed : { ...narrowed, before }
    before = (await gateway().runs.cancelMany({ ...page, dry_run: false })).next_before
  } while (before !== null)
}
