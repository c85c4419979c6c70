import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP, openStage, type Stage, startRun, startTraffic } from './stage.ts'
import { accessibilityFindings, DESKTOP, goTo, launchBrowser, openId, PHONE, visit } from './visitor.ts'

/** The pages of the console in a real browser: none has a barrier, in either scheme, and each fits where it is read. */

let stage: Stage
let browser: Browser
let endTraffic: () => Promise<void>

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts')])
  stage = await openStage()
  browser = await launchBrowser()
  endTraffic = startTraffic(stage, 4)
})
afterAll(async () => {
  await endTraffic?.()
  await browser?.close()
  await stage?.close()
})

const FAILURE = { code: 'MODEL_UNAVAILABLE', message: 'The model did not answer within 30 seconds.', retryable: true }

const examine = async (page: Page): Promise<void> => {
  expect(await accessibilityFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-scheme=dark]').waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
}

describe('every page', () => {
  it.each([
    'Overview',
    'Approvals',
    'Runs',
    'Conversations',
    'Deliveries',
    'Usage',
    'Devices',
    'Applications',
    'Integrations',
    'Operators',
    'Audit',
  ])('is without a barrier in light and dark, and fits a phone: %s', async (name) => {
    await visit(browser, stage, async (page) => {
      await goTo(page, name)
      await examine(page)
    })
  })

  it('is without a barrier in light and dark, and fits a phone: a run, its delivery, its conversation, its application', async () => {
    const id = await startRun(stage, [{ delta: 'Let me look. ' }, { fail: FAILURE }])
    const { conversation_id } = await stage.admin.runs.get(id)
    const [delivery] = (await stage.admin.callbacks.listDeliveries()).deliveries
    for (const each of [id, delivery?.delivery_id ?? '', conversation_id, APP])
      await visit(browser, stage, async (page) => {
        await openId(page, each)
        await examine(page)
      })
  })

  it('is without a barrier in light and dark, and fits a phone: a device with its workers and keys', async () => {
    await stage.admin.devices.create({ device_id: 'dev_gpu', name: 'GPU rack' })
    const { key } = await stage.admin.devices.createKey('dev_gpu', { name: 'rack 7' })
    await fetch(`${stage.gateway.origin}/worker/v1/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'gpu-7', version: '1.4.0', slots: 8 }),
    })
    await visit(browser, stage, async (page) => {
      await openId(page, 'dev_gpu')
      await page.getByText('gpu-7').waitFor()
      await page.getByText('rack 7').waitFor()
      await examine(page)
    })
  })

  it.each([1440, 1240, 1024, 820])('puts filters into rows of equal length: %d px', async (width) => {
    await visit(browser, stage, async (page) => {
      await page.setViewportSize({ ...DESKTOP, width })
      await goTo(page, 'Runs')
      const tops = await page
        .getByRole('form', { name: 'Filters' })
        .locator('label')
        .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().top))
      const rows = [...new Set(tops)].map((top) => tops.filter((each) => each === top).length)
      expect(new Set(rows).size).toBe(1)
    })
  })

  it('is without a barrier where an operator is asked', async () => {
    await visit(browser, stage, async (page) => {
      await page.getByRole('button', { name: 'Pause admission' }).click()
      await examine(page)
    })
  })
})
