import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@conversation-gateway/sdk'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from './stage.ts'
import { accessibilityFindings, goTo, launchBrowser, openId, PHONE, visit } from './visitor.ts'

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

const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Opens the dialog of the button, enters the values and confirms. */
const create = async (page: Page, noun: string, values: Readonly<Record<string, string>>): Promise<void> => {
  await page.getByRole('button', { name: `New ${noun}` }).click()
  for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label, { exact: true }).fill(value)
  await dialog(page)
    .getByRole('button', { name: `Create ${noun}` })
    .click()
}

/** Returns the secret, and closes the dialog with its button, after checking that repeated Escape does not close it. */
const takeSecret = async (page: Page): Promise<string> => {
  await dialog(page).locator('code').waitFor()
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('Escape')
  const secret = await dialog(page).locator('code').innerText()
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
  return secret
}

describe('an operator', () => {
  it('creates an application, a device, a key, a service and a callback, which a client then uses', async () => {
    let apiKey = ''
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Applications')
      await create(page, 'application', { ID: 'app_books', Owner: 'owner_books' })
      await page.getByRole('table', { name: 'Applications' }).getByText('app_books').waitFor()

      await goTo(page, 'Devices')
      await create(page, 'device', { ID: 'dev_books', Name: 'Books' })
      await page.getByRole('table', { name: 'Devices' }).getByText('dev_books').waitFor()

      await openId(page, 'app_books')
      await create(page, 'key', { Name: 'Web shop' })
      apiKey = await takeSecret(page)
      await page.getByRole('table', { name: 'Keys' }).getByText('Web shop').waitFor()
      await create(page, 'service', { ID: 'ep_books', Device: 'dev_books' })
      await page.getByRole('table', { name: 'Services' }).getByText('ep_books').waitFor()

      await goTo(page, 'Integrations')
      const receiver = `${stage.receiver.origin}/books`
      await create(page, 'callback', { Application: 'app_books', Service: 'ep_books', Receiver: receiver })
      expect(await takeSecret(page)).toMatch(/^whsec_/)
      await page.getByRole('table', { name: 'Callbacks' }).getByText(receiver).waitFor()
    })
    const books = createClient({ baseUrl: stage.gateway.origin, apiKey, subject: 'reader' })
    const run = await books.ask({ endpoint_id: 'ep_books' }, { text: 'Hello' }).run()
    expect(run.result?.text).toBe('Hello')
    await expect.poll(() => stage.receiver.at('/books').length, { timeout: 20_000 }).toBe(1)
  })

  it('creates a key with fewer scopes, which the audit log shows', async () => {
    await visit(browser, stage, async (page) => {
      await openId(page, 'app_books')
      await page.getByRole('button', { name: 'New key' }).click()
      for (const scope of ['conversations:write', 'runs:write']) await dialog(page).getByLabel(scope).uncheck()
      await dialog(page).getByRole('button', { name: 'Create key' }).click()
      await takeSecret(page)
      await page.getByRole('table', { name: 'Keys' }).getByText('conversations:read, runs:read').waitFor()
      await goTo(page, 'Audit')
      const change = page
        .getByRole('table', { name: 'Changes' })
        .getByRole('row')
        .filter({ hasText: 'createKey' })
        .first()
      expect(await change.innerText()).toContain('scopes: conversations:read runs:read')
    })
  })

  it('sees the fields of the selected kind of assistant, and the secret of an http assistant', async () => {
    await visit(browser, stage, async (page) => {
      await openId(page, 'app_books')
      await page.getByRole('button', { name: 'New service' }).click()
      await dialog(page).getByLabel('Device').fill('dev_books')
      expect(await dialog(page).getByLabel('URL').count()).toBe(0)
      await dialog(page).getByLabel('Assistant').selectOption('http')
      await dialog(page).getByLabel('URL').fill('https://agents.example.com/orders')
      expect(await accessibilityFindings(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize(PHONE)
      expect(await accessibilityFindings(page)).toEqual([])
      await dialog(page).getByRole('button', { name: 'Create service' }).click()
      expect(await takeSecret(page)).toMatch(/^whsec_/)
    })
  })

  it('sees in the dialog why a change was refused, and corrects it there', async () => {
    await visit(
      browser,
      stage,
      async (page) => {
        await goTo(page, 'Devices')
        await create(page, 'device', { ID: 'dev_frankfurt', Name: 'Frankfurt' })
        expect(await dialog(page).getByRole('alert').innerText()).toContain('ALREADY_EXISTS')
        await dialog(page).getByLabel('ID').fill('dev_frankfurt_2')
        await dialog(page).getByRole('button', { name: 'Create device' }).click()
        await page.getByRole('table', { name: 'Devices' }).getByText('dev_frankfurt_2').waitFor()
        expect((await stage.admin.devices.get('dev_frankfurt_2')).name).toBe('Frankfurt')
      },
      { tolerates: /409/ },
    )
  })
})
