import { afterEach, expect, it, vi } from 'vitest'
import { startPolling } from './poll.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('a read that is in progress when a change is made is repeated at once', async () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  const endReads: (() => void)[] = []
  const poll = startPolling(
    () => new Promise((resolve) => endReads.push(resolve)),
    () => 3_600_000,
  )
  poll.readNow()
  endReads[0]?.()
  await expect.poll(() => endReads.length).toBe(2)
  poll.stop()
})
