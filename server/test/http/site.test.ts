import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from './support.ts'

/** A site as the build leaves it. */
const PAGES = {
  'index.html': '<!doctype html><script src="/docs/assets/app.1a.js"></script><script>dark()</script><h1>Home</h1>',
  '404.html': '<h1>Not here</h1>',
  'errors.html': '<h1>All errors</h1>',
  'guides/attachments.html': '<h1>Attachments</h1>',
  'rules/index.html': '<h1>Rules</h1>',
  'assets/app.1a.js': 'app()',
  '.built-from': 'a hash',
}

let folder = ''
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'site-')), 'dist')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

const build = async (pages: Readonly<Record<string, string>> = PAGES): Promise<void> => {
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const start = async () => {
  const server = await startServer({ siteFolder: folder })
  onTestFinished(() => server.close())
  return server
}

describe('the documentation, built', () => {
  it('is served without a key, pages without .html in their address [OPS-08]', async () => {
    await build()
    const { fetch } = await start()
    const redirect = await fetch('/docs', { bare: true })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '/docs/'])
    for (const [path, heading] of [
      ['/docs/', 'Home'],
      ['/docs/errors', 'All errors'],
      ['/docs/errors?from=log', 'All errors'],
      ['/docs/guides/attachments', 'Attachments'],
      ['/docs/guides/attachments.html', 'Attachments'],
      ['/docs/rules/', 'Rules'],
    ] as const) {
      const page = await fetch(path, { bare: true })
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(`<h1>${heading}</h1>`)
    }
  })

  it('is sent compressed if the client accepts it, pages without .html in their address too', async () => {
    await build()
    for (const file of ['errors.html', 'assets/app.1a.js'])
      await writeFile(join(folder, `${file}.gz`), gzipSync(`compressed ${file}`))
    const { fetch } = await start()
    for (const [path, file] of [
      ['/docs/errors', 'errors.html'],
      ['/docs/assets/app.1a.js', 'assets/app.1a.js'],
    ] as const) {
      const { text, headers } = await fetch(path, { bare: true, headers: { 'accept-encoding': 'gzip' } })
      expect([headers.get('content-encoding'), headers.get('vary'), text]).toEqual([
        'gzip',
        expect.stringMatching(/accept-encoding/i),
        `compressed ${file}`,
      ])
      const plain = await fetch(path, { bare: true, headers: { 'accept-encoding': 'identity' } })
      expect([plain.headers.get('content-encoding'), plain.text]).toEqual([
        null,
        expect.not.stringContaining('compressed'),
      ])
    }
  })

  it('is where the root of the gateway leads', async () => {
    const { fetch } = await start()
    const { status, headers } = await fetch('/', { bare: true })
    expect([status, headers.get('location')]).toEqual([302, '/docs/'])
    for (const path of ['/llms.txt', '/llms-full.txt']) {
      const list = await fetch(path, { bare: true })
      expect([list.status, list.headers.get('location')]).toEqual([302, `/docs${path}`])
    }
  })

  it('may load from nowhere else, and runs no script but its own [OPS-08]', async () => {
    await build()
    const { fetch } = await start()
    const policy = (await fetch('/docs/', { bare: true })).headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'sha256-[\w+/]{43}='; /)
    expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/)
    await writeFile(join(folder, 'index.html'), `${PAGES['index.html']}<script>another()</script>`)
    const changed = (await fetch('/docs/', { bare: true })).headers.get('content-security-policy') ?? ''
    expect(changed.match(/'sha256-/g)).toHaveLength(2)
  })

  it('is kept by a browser for ever where names change with content, and asked for again elsewhere', async () => {
    await build()
    const { fetch, raw } = await start()
    const asset = await fetch('/docs/assets/app.1a.js', { bare: true })
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const page = await fetch('/docs/errors', { bare: true })
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const etag = page.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    const again = await raw(
      `GET /docs/errors HTTP/1.1\r\nhost: x\r\nif-none-match: ${etag}\r\nconnection: close\r\n\r\n`,
    )
    expect(again).toMatch(/^HTTP\/1\.1 304 /)
  })

  it('answers what is no page of it with a page that says so, and gives away no other file', async () => {
    await build()
    await writeFile(join(folder, '../secret.html'), 'secret')
    const { fetch, raw } = await start()
    for (const path of [
      '/docs/nothing',
      '/docs/guides/nothing',
      '/docs/.built-from',
      '/docs/%2e%2e/secret',
      '/docs//errors',
      '/docs/%00',
    ]) {
      const { status, text } = await fetch(path, { bare: true })
      expect([path, status]).toEqual([path, 404])
      expect(text).not.toContain('secret')
    }
    expect(await raw('GET /docs/../secret.html HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
    expect((await fetch('/docs/nothing', { bare: true })).text).toBe(PAGES['404.html'])
  })
})

describe('the documentation, not built', () => {
  it('says how to build it, looks again by itself, and is there once it is built [OPS-08]', async () => {
    const { fetch } = await start()
    for (const path of ['/docs/', '/docs/guides/attachments']) {
      const page = await fetch(path, { bare: true })
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(page.text).toContain('npm run docs:build')
      expect(page.text).toContain('http-equiv="refresh"')
      expect(page.text).not.toMatch(/https?:/)
    }
    await build()
    expect((await fetch('/docs/guides/attachments', { bare: true })).text).toBe(PAGES['guides/attachments.html'])
  })

  it('still explains every error code under its name [ERR-19]', async () => {
    const { fetch } = await start()
    const { status, text } = await fetch('/docs/errors', { bare: true })
    expect(status).toBe(200)
    expect(text).toContain('<section id="GENERATION_CONFLICT">')
  })
})
