import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEVICES, openStage, type Stage, startRun, startTraffic } from './stage.ts'
import { goTo, launchBrowser, openId, PHONE, visit } from './visitor.ts'

/**
 * The screenshots of the guide. `UPDATE_PICTURES=1` retakes them; otherwise the same steps are executed, and the
 * elements that the guide shows must exist.
 */
const FOLDER = join(import.meta.dirname, '../../../docs/public/console')
const isUpdate = process.env.UPDATE_PICTURES === '1'

const SIZE = { width: 1240, height: 780 }
/** The charts need data of more than a minute. */
const WATCHED_MS = isUpdate ? 75_000 : 0

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

const take = async (page: Page, name: string): Promise<void> => {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`html[data-scheme=${scheme}]`).waitFor()
    const path = join(FOLDER, `${name}-${scheme}.png`)
    if (isUpdate) await page.screenshot({ path, animations: 'disabled' })
    else expect(existsSync(path), `${path} is taken with UPDATE_PICTURES=1`).toBe(true)
  }
}

describe('the pictures of the guide', () => {
  it('show a gateway at work', async () => {
    await mkdir(FOLDER, { recursive: true })
    const endTraffic = startTraffic(stage, 6)
    const fail = { code: 'MODEL_UNAVAILABLE', message: 'The model did not answer within 30 seconds.', retryable: true }
    const failed = await startRun(stage, [{ sleep_ms: 300 }, { delta: 'Let me look. ' }, { sleep_ms: 200 }, { fail }])
    await startRun(stage, [{ approval: 'Refund 40 EUR to customer-4711 for order 2026-0815' }, { delta: 'Done.' }])
    await startRun(stage, [{ approval: 'Send a voucher of 10 EUR' }, { delta: 'Done.' }], 'customer-4712')
    await visit(browser, stage, async (page) => {
      await page.setViewportSize(SIZE)
      await new Promise((resolve) => setTimeout(resolve, WATCHED_MS))
      await take(page, 'overview')
      await goTo(page, 'Runs')
      await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().waitFor()
      await take(page, 'runs')
      await openId(page, failed)
      await page.getByText('Could not deliver run.failed to cb_ledger').waitFor()
      await take(page, 'run')
      await goTo(page, 'Approvals')
      await page.getByText('Refund 40 EUR').waitFor()
      await take(page, 'approvals')
      await goTo(page, 'Devices')
      await page.getByRole('button', { name: `Pause ${DEVICES.main}` }).click()
      await take(page, 'pause')
      await page.keyboard.press('Escape')
      await page.setViewportSize(PHONE)
      await page.getByRole('button', { name: 'Menu' }).click()
      await goTo(page, 'Overview')
      // Move the pointer away from links, which would be highlighted.
      await page.mouse.move(0, 0)
      await take(page, 'phone')
    })
    await endTraffic()
  })
})
