import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBuildFolder } from '../support/build-folder.ts'
import { serverOfTest } from './support.ts'

const PAGES = {
  'index.html': '<!doctype html><script src="/docs/assets/app.1a.js"></script><script>dark()</script><h1>Home</h1>',
  '404.html': '<h1>Not here</h1>',
  'errors.html': '<h1>All errors</h1>',
  'guides/attachments.html': '<h1>Attachments</h1>',
  'rules/index.html': '<h1>Rules</h1>',
  'assets/app.1a.js': 'app()',
  '.built-from': 'a hash',
}

const start = async (pages: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = await createBuildFolder()
  await folder.write(pages)
  const server = await serverOfTest({ siteFolder: folder.path })
  const get = (path: string, headers: Record<string, string> = {}) => server.fetch(path, { bare: true, headers })
  return { folder, get, raw: server.raw }
}

describe('the built documentation', () => {
  it('is served without a key, also without .html in the path [OPS-08]', async () => {
    const { get } = await start(PAGES)
    const redirect = await get('/docs')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '/docs/'])
    for (const [path, heading] of [
      ['/docs/', 'Home'],
      ['/docs/errors', 'All errors'],
      ['/docs/errors?from=log', 'All errors'],
      ['/docs/guides/attachments', 'Attachments'],
      ['/docs/guides/attachments.html', 'Attachments'],
      ['/docs/rules/', 'Rules'],
    ] as const) {
      const page = await get(path)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(`<h1>${heading}</h1>`)
    }
  })

  it('is compressed if the client accepts it, also without .html in the path', async () => {
    const files = ['errors.html', 'assets/app.1a.js'] as const
    const compressed = files.map((file) => [`${file}.gz`, gzipSync(`compressed ${file}`)])
    const { get } = await start({ ...PAGES, ...Object.fromEntries(compressed) })
    for (const [path, file] of [
      ['/docs/errors', files[0]],
      ['/docs/assets/app.1a.js', files[1]],
    ] as const) {
      const { text, headers } = await get(path, { 'accept-encoding': 'gzip' })
      expect([headers.get('content-encoding'), text]).toEqual(['gzip', `compressed ${file}`])
      expect(headers.get('vary')).toMatch(/accept-encoding/i)
      const plain = await get(path, { 'accept-encoding': 'identity' })
      expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, PAGES[file]])
    }
  })

  it('is the target of redirects from the root path and from the lists for language models', async () => {
    const { get } = await start({})
    for (const [path, location] of [
      ['/', '/docs/'],
      ['/llms.txt', '/docs/llms.txt'],
      ['/llms-full.txt', '/docs/llms-full.txt'],
    ] as const) {
      const { status, headers } = await get(path)
      expect([path, status, headers.get('location')]).toEqual([path, 302, location])
    }
  })

  it('loads everything from its own origin, and allows only the inline scripts of the current build [OPS-08]', async () => {
    const { folder, get } = await start(PAGES)
    const policy = async () => (await get('/docs/')).headers.get('content-security-policy') ?? ''
    expect(await policy()).toMatch(/^default-src 'self'; script-src 'self' 'sha256-[\w+/]{43}='; /)
    expect(await policy()).not.toMatch(/https?:|script-src[^;]*unsafe/)
    await folder.write({ 'index.html': `${PAGES['index.html']}<script>another()</script>` })
    expect((await policy()).match(/'sha256-/g)).toHaveLength(2)
  })

  it('lets browsers cache assets forever, and revalidate pages', async () => {
    const { get, raw } = await start(PAGES)
    const asset = await get('/docs/assets/app.1a.js')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const { headers } = await get('/docs/errors')
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-cache', expect.any(String)])
    const request = `GET /docs/errors HTTP/1.1\r\nhost: x\r\nif-none-match: ${headers.get('etag')}\r\nconnection: close\r\n\r\n`
    expect(await raw(request)).toMatch(/^HTTP\/1\.1 304 /)
  })

  it('returns its own 404 page for unknown paths, and never a file from outside its folder', async () => {
    const { folder, get, raw } = await start(PAGES)
    await folder.write({ '../secret.html': 'secret' })
    for (const path of [
      '/docs/nothing',
      '/docs/guides/nothing',
      '/docs/.built-from',
      '/docs/%2e%2e/secret',
      '/docs//errors',
      '/docs/%00',
    ]) {
      const { status, text } = await get(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).not.toContain('secret')
    }
    expect((await get('/docs/nothing')).text).toBe(PAGES['404.html'])
    const outside = await raw('GET /docs/../secret.html HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(outside).toMatch(/^HTTP\/1\.1 404 /)
  })
})

describe('documentation that is not built', () => {
  it('explains how to build it, reloads the page, and is served once it is built [OPS-08]', async () => {
    const { folder, get } = await start({})
    for (const path of ['/docs/', '/docs/guides/attachments']) {
      const { status, headers, text } = await get(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(text).toContain('npm run docs:build')
      expect(text).toContain('http-equiv="refresh"')
      expect(text).not.toMatch(/https?:/)
    }
    await folder.write(PAGES)
    expect((await get('/docs/guides/attachments')).text).toBe(PAGES['guides/attachments.html'])
  })

  it('still explains every error code [ERR-19]', async () => {
    const { get } = await start({})
    const { status, text } = await get('/docs/errors')
    expect(status).toBe(200)
    expect(text).toContain('<section id="GENERATION_CONFLICT">')
  })
})
