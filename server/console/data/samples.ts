import type { Overview } from '@conversation-gateway/sdk/admin'
import { signal } from '@preact/signals'
import { gateway, LIVE_MS } from './gateway.ts'
import { startPolling } from './poll.ts'
import { createRateMeter, type Rates } from './rate-meter.ts'

/** The gateway at one moment, as the charts need it. */
export interface Sample extends Rates {
  readonly atSeconds: number
  readonly overview: Overview
}

/** The latest overview; null before the first. */
export const overview = signal<Overview | null>(null)
/** What was seen since signing in, oldest first. */
export const samples = signal<readonly Sample[]>([])

/** Half an hour. */
const KEPT = (30 * 60 * 1000) / LIVE_MS

/** Looks at the gateway again and again, whatever page is open, until the returned function is called. */
export const watchOverview = (): (() => void) => {
  const meter = createRateMeter()
  const poll = startPolling(
    async (signal) => {
      const next = await gateway().gateway.overview({ signal })
      if (signal.aborted) return
      overview.value = next
      const atMs = Date.parse(next.at)
      const sample = { atSeconds: atMs / 1000, overview: next, ...meter(next.process, atMs) }
      samples.value = [...samples.value.slice(1 - KEPT), sample]
    },
    () => LIVE_MS,
  )
  refreshOverview = poll.ring
  return () => {
    poll.stop()
    overview.value = null
    samples.value = []
  }
}

/** Looks at once, as after a change. */
export let refreshOverview = (): void => {}
