import { StreamInterruptedError } from '../errors.ts'
import { followSignal } from '../transport/follow-signal.ts'
import { mayPass } from '../transport/retry.ts'
import type { EndPlace, StreamSource } from './stream-source.ts'

/** Looks for the end of what a stream shows while the stream is read on. */
export interface EndWatch {
  /**
   * Whether the end is proven to lie at or before the position.
   * @throws what the search failed with for good.
   */
  isPassed(): boolean
  /** Begins to look, at most once in a ping interval. For a stream that says nothing new. */
  look(position: number | null): void
  /** The end is ahead, since an event has come; or nobody reads on. */
  stop(): void
}

/** @param onFound Called when {@link EndWatch.isPassed} is true or throws. */
export const watchEnd = (
  { findEnd, info, timing, patienceMs }: StreamSource,
  signal: AbortSignal,
  onFound: () => void,
): EndWatch => {
  const search = followSignal(signal)
  let lookedAtMs: number | undefined
  let isLooking = false
  let cancelDeadline: (() => void) | undefined
  let outcome: { readonly error?: unknown } | undefined

  const settle = (found: { readonly error?: unknown }): void => {
    if (search.signal.aborted) return
    outcome = found
    stop()
    onFound()
  }
  const stop = (): void => {
    cancelDeadline?.()
    search.abort()
  }
  const take = (place: EndPlace): void => {
    if (search.signal.aborted) return
    if (place === 'passed') settle({})
    // The last event is then still to be written: it will come.
    if (place === 'running') stop()
  }
  return {
    isPassed: () => {
      if (outcome && 'error' in outcome) throw outcome.error
      return outcome !== undefined
    },
    look: (position) => {
      const nowMs = timing.elapsed()
      const isEarly = lookedAtMs !== undefined && nowMs - lookedAtMs < info.pingSeconds * 1000
      if (!findEnd || search.signal.aborted || isLooking || isEarly) return
      lookedAtMs = nowMs
      isLooking = true
      cancelDeadline ??= timing.after(patienceMs, () => {
        const message = `Neither the run's last event nor a proof that it lies before the position came within ${patienceMs} ms: read the run.`
        settle({ error: new StreamInterruptedError(message, position, undefined) })
      })
      findEnd(position, search.signal)
        .then(take)
        // What may pass is tried again at the next silence.
        .catch((error: unknown) => mayPass(error) || settle({ error }))
        .finally(() => {
          isLooking = false
        })
    },
    stop,
  }
}
