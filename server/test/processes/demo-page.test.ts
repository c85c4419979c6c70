import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installChromium } from '../../../sdk/test/runtimes/install.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

/** The chat of `examples/chat` as `npm start` serves it under `/demo`, in a real browser. */

const CHAT = fileURLToPath(new URL('../../../examples/chat', import.meta.url))
const FILES = ['assistant.js', 'backend.ts', 'page.html', 'page.js']
const ARGS = ['--greet', '--demo-page', CHAT]
/** The folder of the README's screenshots. `UPDATE_PICTURES=1` retakes them; otherwise they must exist. */
const PICTURES = fileURLToPath(new URL('../../../docs/public/demo', import.meta.url))
const isUpdate = process.env.UPDATE_PICTURES === '1'

const ANSWER = /^Order 4712 has left the warehouse .* without gaps or repetitions\.$/

let home: string
let gateway: GatewayProcess
let browser: Browser
let context: BrowserContext
const faults: string[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-demo-'))
  gateway = await startGateway({}, home, ARGS)
  // Chromium's sandbox does not work for root; the test opens only its own page.
  browser = await chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })
  context = await browser.newContext()
})
afterAll(async () => {
  await browser?.close()
  await gateway?.stop()
  await rm(home, { recursive: true, force: true })
})
beforeEach(() => {
  faults.length = 0
})

const open = async (): Promise<Page> => {
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  await page.goto(`${gateway.baseUrl}/demo`)
  return page
}
const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()
const answers = (page: Page) => page.locator('article.assistant p').allInnerTexts()
const soon = { timeout: 60_000 }

describe('the demo page', () => {
  it('is announced when the gateway starts', () => {
    expect(gateway.log()).toMatch(/\nConversation Gateway on .*\nTry it: http:\/\/127\.0\.0\.1:\d+\/demo\n/)
  })

  it('shows reasoning, a tool call, the answer and its data once each, even after a reload and in two tabs', async () => {
    const page = await open()
    await send(page)
    const tool = page.getByText('Looks up the order …')
    await tool.waitFor(soon)
    await page.reload()
    await tool.waitFor(soon)
    const second = await open()
    await expect.poll(() => answers(page), soon).toEqual([expect.stringMatching(/^Order 4712 has/)])
    await page.reload()
    for (const each of [page, second]) {
      await expect.poll(() => answers(each), soon).toEqual([expect.stringMatching(ANSWER)])
      await each.locator('tr').first().waitFor(soon)
      expect(await each.locator('article.user').allInnerTexts()).toEqual(['Where is order 4712?'])
      expect(await each.locator('summary').allInnerTexts()).toEqual(['Thinks ✓', 'Looks up the order ✓'])
      expect(await each.locator('tr').allInnerTexts()).toEqual(['order\t4712', 'state\tshipped', 'arrives\ttomorrow'])
      expect(await each.getByRole('button', { name: 'Stop' }).isVisible()).toBe(false)
    }
    await second.close()
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    await page.close()
    expect(faults).toEqual([])
  })

  it('has its screenshots for the README', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const path = join(PICTURES, `demo-${colorScheme}.png`)
      if (!isUpdate) {
        expect(existsSync(path), `${path} is taken with UPDATE_PICTURES=1`).toBe(true)
        continue
      }
      await mkdir(PICTURES, { recursive: true })
      const page = await browser.newPage({ colorScheme, viewport: { width: 820, height: 620 } })
      await page.goto(`${gateway.baseUrl}/demo`)
      await page.locator('tr').first().waitFor(soon)
      await page.screenshot({ path, animations: 'disabled' })
      await page.close()
    }
  })

  it('stops an answer, and begins a new chat in every tab', async () => {
    const [page, second] = [await open(), await open()]
    await page.getByRole('textbox').fill('And order 7?')
    await send(page)
    await second.getByText('Thinks …').waitFor(soon)
    await second.getByRole('button', { name: 'Stop' }).click()
    for (const each of [page, second]) await each.getByText('The answer was cancelled.').waitFor(soon)
    await page.getByRole('button', { name: 'New chat' }).click()
    for (const each of [page, second]) await expect.poll(() => each.locator('article').count(), soon).toBe(0)
    await page.getByRole('textbox').fill('And order 8?')
    await send(page)
    await expect.poll(() => answers(second), soon).toEqual([expect.stringMatching(/^Order 8 has/)])
    await Promise.all([page.close(), second.close()])
    expect(faults).toEqual([])
  })

  it.each<[string, (route: Route) => Promise<void>, string]>([
    ['no answer comes', (route) => route.abort(), 'ERR_FAILED'],
    ['a proxy answers instead', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' }), '502'],
  ])(
    'reports a missing answer if %s; a second attempt repeats the ID of the message, which is admitted once',
    async (_, lose, fault) => {
      const page = await open()
      await page.getByRole('button', { name: 'New chat' }).click()
      await expect.poll(() => page.locator('article').count(), soon).toBe(0)
      await page.getByRole('textbox').fill('And order 9?')
      // The gateway admits the message, and its answer is lost.
      await page.route('**/messages', async (route) => {
        await route.fetch()
        await lose(route)
      })
      await send(page)
      await page.getByText('No answer came. Please try again.').waitFor(soon)
      await page.unroute('**/messages')
      await send(page)
      await expect.poll(() => page.getByRole('textbox').inputValue(), soon).toBe('Where is order 4712?')
      await expect.poll(() => page.locator('article.user').allInnerTexts(), soon).toEqual(['And order 9?'])
      await page.close()
      expect(faults).toEqual([expect.stringContaining(fault)])
    },
  )

  it('refuses pages of other origins, and serves only its own files', async () => {
    const { port } = new URL(gateway.baseUrl)
    const status = async (init: RequestInit, path = ''): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/demo/${path}`, init)).status
    expect(await status({})).toBe(200)
    expect(await status({ method: 'POST', headers: { origin: 'http://shop.example' } }, 'reset')).toBe(404)
    expect(await status({}, 'constructor')).toBe(404)
    expect(await status({}, '../backend.ts')).toBe(404)
  })

  it('has at most 200 lines of source', async () => {
    const lines = await Promise.all(FILES.map(async (file) => (await readFile(join(CHAT, file), 'utf8')).split('\n')))
    expect(lines.flat().length - FILES.length).toBeLessThanOrEqual(200)
  })
})

describe('the demo page does not exist', () => {
  it.each<[string, Record<string, string>, readonly string[]]>([
    ['without --demo-page', {}, ['--greet']],
    ['in production', { NODE_ENV: 'production' }, ARGS],
    ['without the demo', { GATEWAY_DEMO: '0' }, ARGS],
  ])('%s', async (_, settings, args) => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-no-demo-'))
    const other = await startGateway(settings, folder, args)
    try {
      const { port } = new URL(other.baseUrl)
      expect((await fetch(`http://127.0.0.1:${port}/demo/`)).status).toBe(404)
      expect(other.log()).not.toContain('/demo\n')
    } finally {
      await other.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
