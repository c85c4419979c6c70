import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { installChromium } from '../../../sdk/test/runtimes/install.ts'
import { ADMIN_TOKEN, type Stage } from './stage.ts'

export const DESKTOP = { width: 1440, height: 900 }
export const LAPTOP = { width: 1280, height: 800 }
export const PHONE = { width: 375, height: 740 }

/** The sandbox does not work for root, and is not needed because the pages are our own. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })

interface VisitOptions {
  readonly token?: string
  /** Faults that do not fail the test, for example while the gateway is stopped. */
  readonly tolerates?: RegExp
}

/**
 * Signs in, and lets the test use the page. Fails for each error, warning, refused request or request to another origin
 * that is not tolerated, even if a user would not notice it.
 */
export const visit = async (
  browser: Browser,
  { gateway }: Pick<Stage, 'gateway'>,
  use: (page: Page) => Promise<void>,
  { token = ADMIN_TOKEN, tolerates }: VisitOptions = {},
): Promise<void> => {
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' })
  const faults: string[] = []
  const note = (fault: string): void => {
    if (tolerates?.test(fault) !== true) faults.push(fault)
  }
  try {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => note(`script: ${error.message}`))
    page.on('requestfailed', (request) => {
      // A request that the page itself aborts has not failed.
      const reason = request.failure()?.errorText
      if (reason !== 'net::ERR_ABORTED') note(`${reason}: ${request.url()}`)
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== gateway.origin) note(`foreign: ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) note(`${response.status()}: ${response.url()}`)
    })
    await page.goto(`${gateway.origin}/console/`)
    await signIn(page, token)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await use(page)
  } finally {
    await context.close()
  }
  expect(faults).toEqual([])
}

export const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens a page through the navigation. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Opens the page of an ID through the field “Go to”. */
export const openId = async (page: Page, id: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.getByLabel('Go to', { exact: true }).fill(id)
  await page.keyboard.press('Enter')
  await page.getByText(id).first().waitFor()
}

/** The accessibility violations of a page, one line for each element. */
export const accessibilityFindings = async (page: Page): Promise<string[]> => {
  // The page's Content-Security-Policy forbids added script elements, but not scripts that the debugger evaluates.
  await page.evaluate(`if (typeof axe === 'undefined') { ${axe.source} }`)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  )
}

/**
 * The layout faults of a page at its width, one line each: a page that scrolls sideways, a cut cell without its whole
 * text as title, a cut time, state, load bar, button or shortened ID, and a grid of facts with an empty cell.
 */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const cells = [...document.querySelectorAll('.data th, .data td, .data .below')]
    const cut = cells.filter((cell) => cell.scrollWidth > cell.clientWidth)
    const untitled = cut.filter((cell) => cell.closest('[title]') === null && cell.querySelector('[title]') === null)
    const broken = cut.flatMap((cell) => {
      const end = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
      return [...cell.querySelectorAll('time, .pill, .load-bar, button, .id')].filter(
        (part) =>
          (!part.matches('.id') || part.textContent.includes('…')) && part.getBoundingClientRect().right > end + 1,
      )
    })
    const gaps = [...document.querySelectorAll('.facts')].filter((facts) => {
      const last = facts.lastElementChild?.getBoundingClientRect().right ?? 0
      return facts.getBoundingClientRect().right - last > 2
    })
    return [
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []),
      ...untitled.map((cell) => `cut without a title: ${cell.textContent}`),
      ...broken.map((part) => `cut: ${part.textContent}`),
      ...gaps.map((facts) => `an empty place after: ${facts.lastElementChild?.textContent}`),
    ]
  })

/** The value of a figure on the overview. */
export const figure = (page: Page, name: string): Promise<number> =>
  page
    .locator('.figures li', { hasText: name })
    .locator('b')
    .innerText()
    .then((text) => Number(text.replaceAll(',', '')))
