import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { runStep, SILENT_MS } from './provide-pnpm.mjs'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('reports after 15 seconds that an installation is still in progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
  const folder = mkdtempSync(join(tmpdir(), 'provide-pnpm-'))
  const step = runStep('sh', ['-c', 'while [ ! -e go ]; do sleep 0.02; done'], folder)
  vi.advanceTimersByTime(SILENT_MS - 1)
  expect(complain).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(complain).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Still trying'))
  writeFileSync(join(folder, 'go'), '')
  await step
  expect(vi.getTimerCount()).toBe(0)
  rmSync(folder, { recursive: true })
})
