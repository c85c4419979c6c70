import type { Overview, OverviewHistory, OverviewSample } from '@conversation-gateway/sdk/admin'
import { createRateMeter, type Rates } from './rate-meter.ts'

/** The state of the gateway at one moment, as the charts show it. */
export interface Sample extends Rates {
  readonly atMs: number
  readonly load: Pick<OverviewSample, 'runs' | 'oldest_queued_seconds' | 'open_streams' | 'deliveries'>
}

const KEPT_MS = 60 * 60 * 1000
/**
 * If the latest sample is older than this, for example at sign-in or after the page was hidden, the gateway's history
 * fills the gap.
 */
const GAP_MS = 30_000

const NO_HISTORY: Pick<OverviewHistory, 'process_id' | 'samples'> = { process_id: '', samples: [] }

/**
 * The samples of the past hour, oldest first: those that the page took, and those from the gateway's history that fill
 * gaps.
 */
export const createSampleLog = (readHistory: (signal: AbortSignal) => Promise<OverviewHistory>) => {
  const meter = createRateMeter()
  let samples: readonly Sample[] = []
  const newestMs = (): number => samples.at(-1)?.atMs ?? 0

  const add = (sample: OverviewSample, processId: string): void => {
    const { admitted, refused, ...load } = sample
    const atMs = Date.parse(sample.at)
    const rates = meter({ processId, admitted, refused }, atMs)
    samples = [...samples.filter((each) => each.atMs > atMs - KEPT_MS), { atMs, load, ...rates }]
  }

  /** Adds the current state of the gateway. @returns all samples */
  return async (now: Overview, signal: AbortSignal): Promise<readonly Sample[]> => {
    const atMs = Date.parse(now.at)
    if (atMs - newestMs() > GAP_MS) {
      // If the history cannot be read, for example from a process of an older version, the charts begin now.
      const history = await readHistory(signal).catch(() => NO_HISTORY)
      for (const sample of history.samples) {
        const pastMs = Date.parse(sample.at)
        if (pastMs > newestMs() && pastMs < atMs) add(sample, history.process_id)
      }
    }
    const { process_id, admitted, refusals } = now.process
    add({ ...now, admitted, refused: refusals.reduce((sum, { count }) => sum + count, 0) }, process_id)
    return samples
  }
}
