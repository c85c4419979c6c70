import type { ConversationRecord, RunRecord } from '@conversation-gateway/sdk/admin'
import { gateway } from '../data/gateway.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { confirm } from '../parts/dialogs.tsx'

/** Shown while the run is unfinished and not already being cancelled. */
export const CancelRun = ({ run, refresh }: { run: RunRecord; refresh: () => void }) =>
  run.finished_at === null && run.state !== 'cancelling' ? (
    <ActionButton
      operation="cancelRunRecord"
      onClick={() =>
        confirm({
          title: 'Cancel this run?',
          consequences: [
            run.state === 'queued'
              ? 'It ends at once, without starting.'
              : 'Its assistant is asked to stop, and the run ends when the assistant confirms. Its effects on other systems remain.',
            'Its application sees a cancelled run. Other runs of the conversation continue.',
          ],
          action: 'Cancel the run',
          isDangerous: true,
          run: async () => {
            await gateway().runs.cancel(run.run_id)
            refresh()
          },
          done: 'Asked to stop.',
        })
      }
    >
      Cancel
    </ActionButton>
  ) : null

/** Shown while the conversation has unfinished runs. */
export const CancelWork = ({ conversation, refresh }: { conversation: ConversationRecord; refresh: () => void }) =>
  conversation.queued_runs > 0 || conversation.executing_run_id !== null ? (
    <ActionButton
      operation="cancelConversationWork"
      onClick={() =>
        confirm({
          title: 'Cancel everything in this conversation?',
          consequences: [
            ...describeQueued(conversation.queued_runs),
            ...(conversation.executing_run_id === null ? [] : ['The executing run is asked to stop.']),
            'The conversation takes new messages as before.',
          ],
          action: 'Cancel the work',
          isDangerous: true,
          run: async () => {
            await gateway().conversations.cancelWork(conversation.conversation_id)
            refresh()
          },
          done: 'Asked to stop.',
        })
      }
    >
      Cancel the work
    </ActionButton>
  ) : null

const describeQueued = (runs: number): string[] => {
  if (runs === 0) return []
  return [runs === 1 ? '1 queued run ends at once.' : `${runs} queued runs end at once.`]
}
