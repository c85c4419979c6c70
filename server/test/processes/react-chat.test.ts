import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installChromium } from '../../../sdk/test/runtimes/install.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { startGateway } from '../support/gateway-process.ts'

/** The React page of `examples/react-chat`, with the assistant of the demo, in a real browser. */

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
const BACKEND = join(EXAMPLES, 'react-chat', 'backend.ts')
/** The screenshots of the guide. `UPDATE_PICTURES=1` retakes them; otherwise they must exist. */
const PICTURES = fileURLToPath(new URL('../../../docs/public/react-chat', import.meta.url))
const isUpdate = process.env.UPDATE_PICTURES === '1'
const soon = { timeout: 60_000 }

let home: string
let gateway: GatewayProcess
let backend: ChildProcess
let origin: string
let browser: Browser

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gateway-react-'))
  gateway = await startGateway({}, home, ['--greet', '--demo-page', join(EXAMPLES, 'chat')])
  const key = await readFile(join(home, '.data', 'demo-key'), 'utf8')
  const env = { PATH: process.env.PATH, GATEWAY_BASE_URL: gateway.baseUrl, GATEWAY_API_KEY: key.trim(), PORT: '0' }
  const child = spawn(process.execPath, [BACKEND], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  backend = child
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
  origin = /Open (\S+)/.exec(said)?.[1] ?? ''
  // Chromium's sandbox does not work for root; the test opens only its own page.
  browser = await chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })
}, 400_000)
afterAll(async () => {
  await browser?.close()
  if (backend?.kill()) await once(backend, 'exit')
  await gateway?.stop()
  await rm(home, { recursive: true, force: true })
})

const faults: string[] = []
/** A separate device: a browser that shares no state with the others. */
const openOnDevice = async (colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
  const page = await browser.newPage({ colorScheme, viewport: { width: 720, height: 640 } })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  await page.goto(origin)
  return page
}
const picture = async (page: Page, name: string): Promise<void> => {
  const path = join(PICTURES, `${name}.png`)
  if (!isUpdate) return expect(existsSync(path), `${path} is taken with UPDATE_PICTURES=1`).toBe(true)
  await mkdir(PICTURES, { recursive: true })
  await page.screenshot({ path, animations: 'disabled' })
}

it('shows reasoning, a tool call and a card live, after a reload, and on a second device; one device stops an answer to the other', async () => {
  const page = await openOnDevice()
  await page.getByRole('button', { name: 'Send' }).click()
  const toolUnderWay = page.getByRole('heading', { name: 'Looks up the order …' })
  await page.getByText('Thinking …').waitFor(soon)
  await toolUnderWay.waitFor(soon)
  await picture(page, 'tool-call-light')

  await page.reload()
  await toolUnderWay.waitFor(soon)
  const second = await openOnDevice('dark')
  await second.getByText(/^Order 4712 has/).waitFor(soon)
  await page.reload()

  for (const each of [page, second]) {
    await each.locator('dl').waitFor(soon)
    await each.getByRole('button', { name: 'Send' }).waitFor(soon)
    const shown = await each.locator('article').evaluateAll((all) => all.map((one) => one.children.length))
    // The question; thoughts, tool, text, card and tokens.
    expect(shown).toEqual([1, 5])
    expect(await each.locator('summary').allInnerTexts()).toEqual(['Thought about it'])
    expect(await each.locator('h2').allInnerTexts()).toEqual(['Looks up the order ✓'])
    expect(await each.locator('article.assistant > p').allInnerTexts()).toEqual([
      expect.stringMatching(/^Order 4712 has left the warehouse .* without gaps or repetitions\.$/),
    ])
    expect(await each.locator('dl div').allInnerTexts()).toEqual(['order\n4712', 'state\nshipped', 'arrives\ntomorrow'])
    expect(await each.locator('small').allInnerTexts()).toEqual(['38 tokens'])
    await each.evaluate(axe.source)
    const { violations } = (await each.evaluate('axe.run()')) as axe.AxeResults
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
  await picture(page, 'answer-light')
  await picture(second, 'answer-dark')

  await second.getByRole('textbox').fill('And order 7?')
  await second.getByRole('button', { name: 'Send' }).click()
  await second.getByText('Thinking …').waitFor(soon)
  await page.reload()
  await page.getByRole('button', { name: 'Stop' }).click()
  for (const each of [page, second]) await each.getByRole('button', { name: 'Send' }).waitFor(soon)
  expect(await second.locator('dl').count()).toBe(1)
  expect(faults).toEqual([])
})
