import type { Overview } from '@conversation-gateway/sdk/admin'
import { signal } from '@preact/signals'
import { gateway, LIVE_MS } from './gateway.ts'
import { startPolling } from './poll.ts'
import { createSampleLog, type Sample } from './sample-log.ts'

/** The latest overview; null before the first. */
export const overview = signal<Overview | null>(null)
/** The past hour, oldest first. */
export const samples = signal<readonly Sample[]>([])

/** Polls the gateway, whichever page is open, until the returned function is called. */
export const watchOverview = (): (() => void) => {
  const addSample = createSampleLog((signal) => gateway().gateway.history({ signal }))
  const poll = startPolling(
    async (signal) => {
      const next = await gateway().gateway.overview({ signal })
      const seen = await addSample(next, signal)
      if (signal.aborted) return
      samples.value = seen
      overview.value = next
    },
    () => LIVE_MS,
  )
  refreshOverview = poll.readNow
  return () => {
    poll.stop()
    overview.value = null
    samples.value = []
  }
}

/** Polls at once, for example after a change. */
export let refreshOverview = (): void => {}
