import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installChromium } from '../../sdk/test/runtimes/install.ts'
import { checkLinks } from '../src/check-links.ts'
import { DOCS, REPOSITORY } from '../src/folders.ts'

/** The site on another host: built for another base path, on a static file server. */

const BASE = '/manuals/gateway/'
const EDITED_AT = 'https://git.example.com/gateway/edit/main'
const BUILD_DEADLINE_MS = 400_000
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

let folder = ''
let server: Server
let origin = ''
let browser: Browser

/** An address without `.html` serves that file, as static site hosts do. A missing file is a 404. */
const serveFiles = (): Server =>
  createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const path = normalize(pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}` : '/no-page-of-the-site')
    const file = path.endsWith('/') ? `${path}index.html` : extname(path) === '' ? `${path}.html` : path
    const bytes = await readFile(join(folder, file)).catch(() => null)
    response.writeHead(bytes === null ? 404 : 200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    })
    response.end(bytes)
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-elsewhere-'))
  const build = [join(DOCS, 'src/build.ts'), '--base', BASE, '--out', folder, '--brief', '--edit', EDITED_AT]
  await promisify(execFile)(process.execPath, build, { cwd: REPOSITORY })
  server = serveFiles()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `http://127.0.0.1:${address.port}`
  browser = await chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })
}, BUILD_DEADLINE_MS)
afterAll(async () => {
  await browser?.close()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the site under another base path', () => {
  it('has no link to a missing page or to a page outside it', async () => {
    // A brief site lacks pages of the references.
    const faults = await checkLinks(folder, BASE)
    expect(faults.filter((fault) => !/\breference\/.*\(no such page\)$/.test(fault))).toEqual([])
  })

  it('makes no request outside its base path or for a missing file while a reader uses it', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.startsWith(BASE) || response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${origin}${BASE}`, { waitUntil: 'networkidle' })
    await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined')
    await page.getByRole('link', { name: 'Five-minute quickstart' }).click()
    await page.waitForURL(`**${BASE}start/quickstart`)

    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('upgrade')
    await page.locator('.VPLocalSearchBox a.result').first().click()
    await page.waitForURL(`**${BASE}guides/upgrade*`)

    await page.goto(`${origin}${BASE}reference/http/`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: 'openapi.json' }).click()
    await page.waitForURL(`**${BASE}openapi.json`)
    expect(await page.locator('body').textContent()).toContain('"openapi":"3.1')
    expect(faults).toEqual([])
  })

  it('links handwritten pages to their source, but not generated ones', async () => {
    const page = await browser.newPage()
    await page.goto(`${origin}${BASE}guides/upgrade`)
    const link = page.getByRole('link', { name: 'Edit this page' })
    expect(await link.getAttribute('href')).toBe(`${EDITED_AT}/docs/guides/upgrade.md`)
    for (const path of ['errors', 'reference/sdk/functions/createClient']) {
      await page.goto(`${origin}${BASE}${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect([path, await link.count()]).toEqual([path, 0])
    }
  })

  it('has Markdown for programs, beginning with llms.txt, whose links stay below the base path', async () => {
    const list = await readFile(join(folder, 'llms.txt'), 'utf8')
    const links = [...list.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(30)
    expect(links.filter((link) => !link.startsWith(BASE))).toEqual([])
    for (const link of links) {
      const page = await readFile(join(folder, link.slice(BASE.length)), 'utf8')
      const leadingOut = [...page.matchAll(/\]\((\/[^)]*)\)/g)].filter(([, address = '']) => !address.startsWith(BASE))
      expect(leadingOut.map(([text]) => `${link}: ${text}`)).toEqual([])
    }
  })
})
