import { execFile } from 'node:child_process'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axe from 'axe-core'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installChromium } from '../../sdk/test/runtimes/install.ts'
import { type GatewayProcess, startGateway } from '../../sdk/test/support/gateway-process.ts'
import { DOCS, REPOSITORY } from '../src/folders.ts'
import { SEARCHES } from './searches.ts'

/** The site as the gateway serves it, in a real browser: the actions of a reader, with no errors in the browser. */

let gateway: GatewayProcess
let browser: Browser

/** The demo of `npm start`, with a fixed key that contains every kind of character that keys have. */
const DEMO_KEY = `gk_demo_${'De-m_0'.padEnd(43, 'x')}`
const writeDemo = async (): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'site-demo-')), 'bootstrap.json')
  const scopes = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']
  const endpoint = {
    endpoint_id: 'ep_demo_echo',
    app_id: 'app_demo',
    device_id: 'dev_demo',
    assistant: { type: 'echo' },
  }
  const apps = [{ app_id: 'app_demo', owner_id: 'owner_demo', keys: [{ key: DEMO_KEY, scopes }] }]
  await writeFile(file, JSON.stringify({ apps, devices: [{ device_id: 'dev_demo' }], endpoints: [endpoint] }))
  return file
}

/** A build takes half a minute on an idle machine. It runs only if the site is older than its sources. */
const BUILD_DEADLINE_MS = 400_000

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(DOCS, 'src/build.ts'), '--if-stale'], { cwd: REPOSITORY })
  gateway = await startGateway({ GATEWAY_BOOTSTRAP: await writeDemo() })
  // Chromium's sandbox does not work for root; the test opens only its own pages.
  browser = await chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })
}, BUILD_DEADLINE_MS)
afterAll(async () => {
  await browser?.close()
  await gateway?.remove()
})

const DESKTOP = { width: 1280, height: 900 }
const WIDE = { width: 1720, height: 900 }
const PHONE = { width: 375, height: 740 }

/** Opens a page, lets the test read it, and fails on any error, even one that a reader would not see. */
const visit = async (path: string, read: (page: Page) => Promise<void>): Promise<void> => {
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' })
  const faults: string[] = []
  try {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
    page.on('requestfailed', (request) => {
      // A request that the reader aborts has not failed.
      const reason = request.failure()?.errorText
      if (reason !== 'net::ERR_ABORTED') faults.push(`${reason}: ${request.url()}`)
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol !== 'data:' && url.origin !== gateway.origin) faults.push(`foreign: ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
    })
    await page.goto(`${gateway.origin}/docs${path}`, { waitUntil: 'networkidle' })
    // The page is visible before its scripts listen.
    await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined')
    await read(page)
  } finally {
    await context.close()
  }
  expect(faults).toEqual([])
}

const textOf = async (place: Locator): Promise<string> => (await place.textContent()) ?? ''

/** Serious and critical findings of a page that has axe, one line each with the element. */
const accessibilityFindings = async (page: Page): Promise<string[]> => {
  // Check only the first line of a code block: most words of a page are in code blocks.
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ exclude: '.line ~ .line' })")
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
}

/** Drawings that are wider than the space for them. */
const cutDrawings = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc figure')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((figure) => figure.querySelector('svg')?.getAttribute('aria-label') ?? 'a drawing'),
  )

/** Blocks of code that hide the end of a line. */
const cutBlocks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc pre')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent.slice(0, 80)),
  )

const SEARCH_DEADLINE_MS = 20_000

describe('a reader', () => {
  it('starts at the landing page and reaches the quickstart', async () => {
    await visit('/', async (page) => {
      await page.getByRole('link', { name: 'Five-minute quickstart' }).click()
      await page.waitForURL('**/docs/start/quickstart')
      // The address changes before the page does.
      await expect.poll(() => textOf(page.locator('h1').first())).toMatch(/quickstart/i)
      expect(await textOf(page.locator('.vp-doc pre code').first())).not.toBe('')
    })
  })

  it('loads the landing page in less than 250 KB', async () => {
    await visit('/', async (page) => {
      const sizes = await page.evaluate(() =>
        [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) =>
          entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0,
        ),
      )
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeGreaterThan(10_000)
      expect(bytes).toBeLessThan(250_000)
    })
  })

  it('can find every page as Markdown through llms.txt', async () => {
    const list = await (await fetch(`${gateway.origin}/docs/llms.txt`)).text()
    const links = [...list.matchAll(/\]\((\/docs\/[^)]*\.md)\)/g)].map(([, link = '']) => link)
    expect(links).toContain('/docs/guides/send-and-stream.md')
    for (const link of links) {
      const page = await fetch(`${gateway.origin}${link}`)
      expect([link, page.status, (await page.text()).startsWith('# ')]).toEqual([link, 200, true])
    }
    const whole = await (await fetch(`${gateway.origin}/docs/llms-full.txt`)).text()
    const ofTexts = links.filter((link) => /^\/docs\/(start|guides|protocol)\//.test(link))
    expect([...whole.matchAll(/^From (.*)$/gm)].map(([, link]) => link)).toEqual(ofTexts)
  })

  it('can open the page of all guides from the navigation bar', async () => {
    await visit('/', async (page) => {
      await page.getByRole('banner').getByRole('link', { name: 'Guides' }).click()
      await page.waitForURL('**/docs/guides/')
      await expect.poll(() => textOf(page.locator('h1').first())).toMatch(/^Guides/)
      expect(await page.locator('.vp-doc li a').count()).toBeGreaterThan(20)
    })
  })

  it('sees each method of a client once', async () => {
    const list = await (await fetch(`${gateway.origin}/docs/llms.txt`)).text()
    const classes = [...list.matchAll(/\]\((\/docs\/reference\/sdk\/(?:admin\/)?client-methods\/[^)]*\.md)\)/g)]
    expect(classes.length).toBeGreaterThan(5)
    for (const [, page = ''] of classes) {
      const text = await (await fetch(`${gateway.origin}${page}`)).text()
      const methods = [...text.matchAll(/^### (\w+)\(\)/gm)].map(([, name]) => name)
      expect([page, methods]).toEqual([page, [...new Set(methods)]])
    }
  })

  it('sees an error page for an unknown address, with a link to the first page', async () => {
    const page = await browser.newPage()
    const answer = await page.goto(`${gateway.origin}/docs/guides/no-such-guide`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    await page.getByRole('link', { name: 'Go to the first page' }).click()
    await page.getByRole('link', { name: 'Five-minute quickstart' }).waitFor()
    await page.close()
  })

  it('sees the example of an operation beside its text in a wide window, below it otherwise', async () => {
    await visit('/reference/http/messages#send-message', async (page) => {
      const [text, examples] = [page.locator('.operation > div').nth(2), page.locator('.examples').nth(1)]
      const places = async () => [await text.boundingBox(), await examples.boundingBox()]
      const [above, below] = await places()
      expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? Number.POSITIVE_INFINITY))
      await page.setViewportSize(WIDE)
      await page.getByRole('heading', { name: 'Send a message' }).scrollIntoViewIfNeeded()
      const [left, right] = await places()
      expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? Number.POSITIVE_INFINITY))
      expect(right?.y).toBeLessThan((left?.y ?? 0) + 100)
      await page.evaluate(axe.source)
      expect(await accessibilityFindings(page)).toEqual([])
    })
  })

  it('can try an operation by keyboard, and sees status, headers and body', async () => {
    await visit('/reference/http/conversations#create-conversation', async (page) => {
      const form = page.locator('[data-operation=createConversation]')
      await form.locator('> summary').focus()
      await page.keyboard.press('Enter')
      await form.getByLabel('Application key').fill(DEMO_KEY)
      await form.getByLabel('Body, JSON').fill(JSON.stringify({ endpoint_id: 'ep_demo_echo' }))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => textOf(form.getByRole('status'))).toBe('201 Created')
      expect(JSON.parse(await textOf(form.locator('pre.body')))).toMatchObject({
        conversation_id: expect.stringMatching(/^conv_/),
        generation: 1,
      })
      expect(await textOf(form.locator('.answer pre').first())).toContain('x-request-id: req_')
    })
  })

  it('can create a conversation with one click on a gateway of npm start, and continue with it', async () => {
    const conversations = `/reference/http/conversations#key=${DEMO_KEY}`
    await visit(conversations, async (page) => {
      expect(new URL(page.url()).hash).toBe('')
      const create = page.locator('[data-operation=createConversation]')
      await create.getByRole('button', { name: 'Send POST' }).click()
      await expect.poll(() => textOf(create.getByRole('status'))).toBe('201 Created')
      await create.getByText('The same with curl').click()
      expect(await textOf(create.locator('.as-curl pre'))).toMatch(/^curl -sS -X POST 'http.*Bearer \$GATEWAY_API_KEY/s)

      await page.getByRole('link', { name: 'Messages', exact: true }).first().click()
      await page.waitForURL('**/messages')
      const send = page.locator('[data-operation=sendMessage]')
      await send.locator('> summary').click()
      await send.getByRole('button', { name: 'Send POST' }).click()
      await expect.poll(() => textOf(send.getByRole('status'))).toMatch(/^202/)

      await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
      await page.waitForURL('**/runs')
      const stream = page.locator('[data-operation=streamRunEvents]')
      await stream.locator('> summary').click()
      await stream.getByRole('button', { name: 'Send GET' }).click()
      await expect.poll(() => textOf(stream.locator('pre.body'))).toContain('event: run.completed')
      const stop = stream.getByRole('button', { name: 'Stop' })
      if (await stop.isVisible()) await stop.click()
      await expect.poll(() => textOf(stream.getByRole('status'))).toBe('200 OK')
    })
  })

  it('finds the expected page among the first three results of a search', async () => {
    await visit('/', async (page) => {
      for (const [words, address] of SEARCHES) {
        await page.keyboard.press('Control+k')
        await page.getByRole('searchbox').fill(words)
        const results = page.locator('.VPLocalSearchBox a.result')
        // Until the new search is done, the previous results are shown.
        await expect
          .poll(() => results.evaluateAll((links) => links.slice(0, 3).map((link) => link.getAttribute('href'))), {
            message: words,
            // The first search loads the index.
            timeout: SEARCH_DEADLINE_MS,
          })
          .toContainEqual(expect.stringMatching(`^${address}`))
        await page.keyboard.press('Escape')
      }
    })
  })

  it('sees the entry of the open page in the sidebar, at any position', async () => {
    const isInView = (page: Page, name: string): Promise<boolean> =>
      page.locator('.VPSidebar .is-active > .item', { hasText: name }).evaluate((entry) => {
        const { top, bottom } = entry.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await visit('/guides/what-isolates-what', async (page) => {
      await expect.poll(() => isInView(page, 'What isolates what')).toBe(true)
      await page.getByRole('banner').getByRole('link', { name: 'Start' }).click()
      await expect.poll(() => isInView(page, 'What it is')).toBe(true)
    })
  })

  it('sees the kind of page, the place and an excerpt in each result', async () => {
    await visit('/', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('langgraph')
      const result = page.locator('.VPLocalSearchBox a.result').first()
      await expect
        .poll(() => result.locator('.title').allInnerTexts(), { timeout: SEARCH_DEADLINE_MS })
        .toEqual([
          'Guide',
          'Bring your own agent',
          'A worker in Python',
          'An agent with tools',
          expect.stringContaining('LangGraph'),
        ])
    })
  })

  it('sees a picture of the console in the colour scheme of the page', async () => {
    await visit('/guides/operator-console', async (page) => {
      const shown = () =>
        page
          .locator('.vp-doc img')
          .filter({ visible: true })
          .evaluateAll((images) =>
            images.map((image) => /-(light|dark)\.png$/.exec(image.getAttribute('src') ?? '')?.[1]),
          )
      expect(await shown()).toEqual(['light', 'light', 'light', 'light'])
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(shown).toEqual(['dark', 'dark', 'dark', 'dark'])
    })
  })

  it('can open the section of a search result', async () => {
    await visit('/', async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('IDEM-06')
      await page.locator('.VPLocalSearchBox a.result').first().click()
      await page.waitForURL((url) => url.href.includes('/docs/rules/idem#idem-06'))
    })
  })
})

const KINDS_OF_PAGE = [
  '/',
  '/start/quickstart',
  '/start/what-it-is',
  '/guides/',
  '/guides/send-and-stream',
  '/reference/http/messages',
  '/reference/http/events',
  '/reference/sdk/client-methods/classes/Conversations',
  '/reference/settings',
  '/rules/idem',
  '/protocol/basics',
  '/reference/http/objects/run',
  '/reference/sdk/',
  '/errors',
  '/state-machines',
]

/** A guide that is at least this high on a phone is too long to read. */
const TOO_HIGH_PX = 15_000

describe('a drawing of states', () => {
  it('has its labels beside the arrows, never on them', async () => {
    await visit('/state-machines', async (page) => {
      const crossed = await page.evaluate(() => {
        const arrows = (drawing: Element) => [...drawing.querySelectorAll<SVGPathElement>('.edge path')]
        const crosses = (arrow: SVGPathElement, { x, y, width, height }: DOMRect): boolean =>
          Array.from({ length: Math.ceil(arrow.getTotalLength()) }, (_, at) => arrow.getPointAtLength(at)).some(
            (point) => point.x > x && point.x < x + width && point.y > y && point.y < y + height,
          )
        return [...document.querySelectorAll('svg.states')].flatMap((drawing) =>
          [...drawing.querySelectorAll<SVGTextElement>('.edge text')]
            .filter((words) => arrows(drawing).some((arrow) => crosses(arrow, words.getBBox())))
            .map(({ textContent }) => textContent),
        )
      })
      expect(await page.locator('svg.states .edge text').count()).toBeGreaterThan(10)
      expect(crossed).toEqual([])
    })
  })
})

describe('a page', () => {
  it('of a guide is short enough to read and fits a phone', async () => {
    const guides = (await readdir(join(DOCS, 'guides'))).map((name) => `/guides/${name.replace(/\.md$/, '')}`)
    await visit('/', async (page) => {
      await page.setViewportSize(PHONE)
      const faults: string[] = []
      for (const path of guides) {
        await page.goto(`${gateway.origin}/docs${path}`)
        const { scrollHeight, scrollWidth } = await page.evaluate(() => {
          const { scrollHeight, scrollWidth } = document.documentElement
          return { scrollHeight, scrollWidth }
        })
        if (scrollHeight >= TOO_HIGH_PX) faults.push(`${path} is ${scrollHeight} px high`)
        if (scrollWidth > PHONE.width) faults.push(`${path} is ${scrollWidth} px wide`)
        for (const part of [...(await cutBlocks(page)), ...(await cutDrawings(page))])
          faults.push(`${path} cuts off: ${part}`)
      }
      expect(guides.length).toBeGreaterThan(20)
      expect(faults).toEqual([])
    })
  })

  it.each(KINDS_OF_PAGE)(
    'names its version, has no serious accessibility problem in light or dark, and fits a phone: %s',
    async (path) => {
      await visit(path, async (page) => {
        const foot = page.getByText(/^Conversation Gateway \d+\.\d+\.\d+/)
        expect(await foot.filter({ visible: true }).count()).toBe(1)
        for (const form of await page.locator('details.try-it > summary').all()) await form.click()
        await page.evaluate(axe.source)
        expect(await accessibilityFindings(page)).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.locator('html.dark').waitFor()
        expect(await accessibilityFindings(page)).toEqual([])
        expect(await cutBlocks(page)).toEqual([])
        await page.setViewportSize(PHONE)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
        expect([await cutBlocks(page), await cutDrawings(page)]).toEqual([[], []])
        await page.emulateMedia({ media: 'print' })
        expect(await cutBlocks(page)).toEqual([])
        for (const each of ['.VPNav', '.VPSidebar', '.copy'])
          for (const place of await page.locator(each).all()) expect(await place.isVisible()).toBe(false)
      })
    },
  )
})
