import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP, DEVICES, openStage, SERVICES, type Stage, startRun, startTraffic } from './stage.ts'
import {
  accessibilityFindings,
  DESKTOP,
  goTo,
  LAPTOP,
  launchBrowser,
  layoutFaults,
  openId,
  PHONE,
  visit,
} from './visitor.ts'

/** The pages of the console in a real browser: each is accessible in light and dark, and fits the screen. */

let stage: Stage
let browser: Browser
let endTraffic: () => Promise<void>

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts')])
  stage = await openStage()
  browser = await launchBrowser()
  await addLongNames(stage)
  endTraffic = startTraffic(stage, 4)
})
afterAll(async () => {
  await endTraffic?.()
  await browser?.close()
  await stage?.close()
})

const FAILURE = { code: 'MODEL_UNAVAILABLE', message: 'The model did not answer within 30 seconds.', retryable: true }

/** Adds names and texts that are longer than any column, and one row of each list whose rows have buttons. */
const addLongNames = async ({ admin, receiver }: Stage): Promise<void> => {
  const name = 'storefront in production, since the move to Frankfurt'
  await admin.apps.create({ app_id: 'app_statistics_of_every_kind', owner_id: 'owner_business_intelligence', name })
  await admin.apps.createKey(APP, { name, scopes: ['conversations:read', 'runs:read'] })
  await admin.endpoints.create(APP, {
    endpoint_id: 'ep_agents',
    device_id: DEVICES.main,
    assistant: { type: 'http', url: 'https://agents.example.com/orders' },
  })
  await admin.callbacks.create({
    callback_id: 'cb_warehouse_notifications',
    app_id: APP,
    endpoint_id: SERVICES.assistant,
    url: `${receiver.origin}/warehouse/notifications/of/every/kind`,
    events: ['run.cancelled'],
  })
  await admin.webhooks.create({
    app_id: APP,
    endpoint_id: SERVICES.assistant,
    subject: 'order-system',
    event_type_field: 'type',
    event_types: ['order.question'],
    action: 'message',
    match: 'key',
    message_field: 'customer.message',
    conversation_key_field: 'order.id',
  })
  await admin.operators.create({ name, role: 'operate' })
}

const examine = async (page: Page): Promise<void> => {
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
  expect(await accessibilityFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-scheme=dark]').waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
  for (const size of [LAPTOP, PHONE]) {
    await page.setViewportSize(size)
    expect([size.width, await layoutFaults(page)]).toEqual([size.width, []])
  }
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
  ])('is accessible in light and dark, and fits a phone: %s', async (name) => {
    await visit(browser, stage, async (page) => {
      await goTo(page, name)
      await examine(page)
    })
  })

  it('is accessible in light and dark, and fits a phone: a run, its delivery, its conversation, its application', async () => {
    const id = await startRun(stage, [{ delta: 'Let me look. ' }, { fail: FAILURE }])
    const { conversation_id } = await stage.admin.runs.get(id)
    const [delivery] = (await stage.admin.callbacks.listDeliveries()).deliveries
    for (const each of [id, delivery?.delivery_id ?? '', conversation_id, APP])
      await visit(browser, stage, async (page) => {
        await openId(page, each)
        await examine(page)
      })
  })

  it('is accessible in light and dark, and fits a phone: a device with its workers and keys', async () => {
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

  it('shows application and error in lists on a phone, and cuts no state and no time', async () => {
    const id = await startRun(stage, [{ fail: FAILURE }])
    await stage.client.runs.wait(id)
    const decided = await startRun(stage, [{ approval: 'Refund 40 EUR to customer-4711' }, { delta: 'Refunded.' }])
    await expect.poll(async () => (await stage.admin.runs.get(decided)).state).toBe('waiting_approval')
    const [approval] = (await stage.admin.approvals.list({ state: 'pending' })).approvals
    await stage.admin.approvals.decide(approval?.approval_id ?? '', { decision: 'approve' })
    await expect
      .poll(async () => (await stage.admin.callbacks.listDeliveries({ state: 'needs_action' })).deliveries.length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0)
    await visit(browser, stage, async (page) => {
      const rowOf = async (name: string, text: string, state: string | null = null): Promise<string> => {
        await page.setViewportSize(DESKTOP)
        await goTo(page, name)
        if (state !== null) await page.getByLabel('State').selectOption(state)
        await page.setViewportSize(PHONE)
        const row = page.getByRole('table').getByRole('row').filter({ hasText: text }).first()
        await row.waitFor()
        const cut = await page.locator('.data time, .data .pill').evaluateAll((all) =>
          all.flatMap((each) => {
            const cell = each.closest('td')
            return cell !== null && cell.scrollWidth > cell.clientWidth ? [each.textContent] : []
          }),
        )
        expect([name, cut]).toEqual([name, []])
        return row.innerText()
      }
      expect(await rowOf('Runs', FAILURE.code, 'failed')).toContain(APP)
      expect(await rowOf('Deliveries', 'needs action', 'needs_action')).toMatch(new RegExp(`${APP}[^]*answered 400`))
      expect(await rowOf('Conversations', 'idle')).toContain(APP)
      expect(await rowOf('Approvals', 'Refund 40 EUR')).toContain(APP)
      expect(await rowOf('Audit', 'decideApproval')).toContain('done')
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

  it('is accessible while it asks an operator for confirmation', async () => {
    await visit(browser, stage, async (page) => {
      await page.getByRole('button', { name: 'Pause admission' }).click()
      await examine(page)
    })
  })
})
