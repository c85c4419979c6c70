import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage, startRun } from './stage.ts'
import { goTo, launchBrowser, visit } from './visitor.ts'

/** Lists that are longer than any screen, in a real browser. */

let stage: Stage
let browser: Browser

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts')])
  stage = await openStage()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stage?.close()
})

describe('a list of ten thousand runs', () => {
  const COUNT = 10_000
  const start = Date.UTC(2026, 2, 2)

  it('has only the rows near the screen in the document, and loads more until its end', async () => {
    const run = await stage.admin.runs.get(await startRun(stage, [{ delta: 'x' }]))
    const idOf = (index: number): string => `run_${String(COUNT - index).padStart(32, '0')}`
    await visit(
      browser,
      stage,
      async (page) => {
        // Only the number of runs matters here. Creating that many would take minutes, so the answers are simulated.
        await page.route('**/admin/v1/runs?**', (route) => {
          const query = new URL(route.request().url()).searchParams
          const before = query.get('before')
          const first = before === null ? 0 : COUNT - Number(before.slice(4)) + 1
          const runs = Array.from({ length: Math.min(100, COUNT - first) }, (_, index) => ({
            ...run,
            run_id: idOf(first + index),
            created_at: new Date(start - (first + index) * 1000).toISOString(),
          }))
          return route.fulfill({ json: { runs } })
        })
        await goTo(page, 'Runs')
        const table = page.getByRole('table', { name: 'Runs' })
        await table.getByRole('link').first().waitFor()
        await page.evaluate(() => {
          const seen = { longestMs: 0 }
          Object.assign(globalThis, { seen })
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) seen.longestMs = Math.max(seen.longestMs, duration)
          }).observe({ type: 'longtask' })
        })
        const last = table.locator(`tr[aria-rowindex="${COUNT + 1}"]`)
        let most = 0
        while ((await last.count()) === 0) {
          await page.mouse.wheel(0, 3300)
          most = Math.max(most, await table.locator('tbody tr').count())
        }
        expect(most).toBeLessThan(90)
        await last.getByRole('link').click()
        await page.waitForURL(`**/console/runs/${idOf(COUNT - 1)}`)
        const longestMs = await page.evaluate(() => Reflect.get(globalThis, 'seen').longestMs)
        process.stderr.write(`ten thousand runs: at most ${most} rows in the document, longest task ${longestMs} ms\n`)
      },
      { tolerates: /404/ },
    )
  })
})
