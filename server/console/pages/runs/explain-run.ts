import type { RunRecord } from '@conversation-gateway/sdk/admin'
import type { Tone } from '../../parts/state-pill.tsx'

/** Why a run is in its state, or what it waits for. */
export interface Explanation {
  readonly tone: Tone
  readonly title: string
  readonly text: string
  /** The code that applications see, if there is one. */
  readonly code?: string | undefined
}

/** Null if there is nothing to explain. Pure. */
export const explainRun = ({ state, error, lease, device_id, start_before }: RunRecord): Explanation | null => {
  switch (state) {
    case 'failed':
      return {
        tone: 'bad',
        title: 'Why it failed',
        code: error?.code,
        text:
          error === null
            ? 'Its result is no longer retained.'
            : `${error.message}${error.retryable ? ' The application may try it again.' : ''}`,
      }
    case 'expired':
      return {
        tone: 'bad',
        title: 'Why it expired',
        text: `By its latest start time, ${start_before}, ${device_id} had no free slot, or an earlier run of its conversation had not ended.`,
      }
    case 'interrupted':
      return {
        tone: 'bad',
        title: 'Why it was interrupted',
        text: 'The process that executed it was lost and did not come back in time. Its effects on other systems are unknown.',
      }
    case 'reconciling':
      return {
        tone: 'warn',
        title: 'Why it is reconciling',
        text: 'The process that executes it no longer reports. The run continues if that process comes back; otherwise it is interrupted.',
      }
    case 'waiting_approval':
      return {
        tone: 'warn',
        title: 'What it waits for',
        text: 'It waits for a decision, and occupies no slot in the meantime.',
      }
    case 'queued':
      return {
        tone: 'idle',
        title: 'What it waits for',
        text: `It waits for the run before it in its conversation, or for a free slot of ${device_id}.`,
      }
    case 'cancelling':
      return {
        tone: 'warn',
        title: 'What it waits for',
        text: `It was asked to stop; process ${lease?.process_id ?? 'unknown'} has not confirmed that yet.`,
      }
    default:
      return null
  }
}
