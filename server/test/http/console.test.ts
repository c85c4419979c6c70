import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from './support.ts'

/** The console as its build leaves it. */
const FILES = {
  'index.html': '<!doctype html><script type="module" src="/console/assets/index-1a.js"></script>',
  'assets/index-1a.js': 'app()',
  'assets/index-1a.js.br': brotliCompressSync('app()'),
}

let folder = ''
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'console-')), 'dist')
})
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }))

const build = async (): Promise<void> => {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const start = async () => {
  const server = await startServer({ consoleFolder: folder })
  onTestFinished(() => server.close())
  return (path: string, headers: Record<string, string> = {}) =>
    server.fetch(path, { bare: true, headers: { 'accept-encoding': 'identity', ...headers } })
}

describe('the console, built', () => {
  it('is one page under every address of its own, without a token', async () => {
    await build()
    const fetch = await start()
    const redirect = await fetch('/console')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '/console/'])
    for (const path of ['/console/', '/console/runs?state=failed', '/console/runs/run_0199', '/console/apps/a.b']) {
      const { status, headers, text } = await fetch(path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect([text, headers.get('cache-control')]).toEqual([FILES['index.html'], 'no-cache'])
    }
  })

  it('may run, load and reach nothing but its own origin, and nothing inline', async () => {
    await build()
    const fetch = await start()
    for (const path of ['/console/', '/console/runs', '/console/assets/index-1a.js']) {
      const { headers } = await fetch(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('is kept by a browser for ever where names change with content, and a name from before is 404', async () => {
    await build()
    const fetch = await start()
    expect((await fetch('/console/assets/index-1a.js')).headers.get('cache-control')).toMatch(/immutable/)
    const { status, text } = await fetch('/console/assets/index-0b.js')
    expect([status, text]).toEqual([404, 'No such file.\n'])
  })

  it('is sent compressed if the client accepts it', async () => {
    await build()
    const fetch = await start()
    const { headers, text } = await fetch('/console/assets/index-1a.js', { 'accept-encoding': 'gzip, br' })
    expect([headers.get('content-encoding'), text]).toEqual(['br', 'app()'])
    expect((await fetch('/console/assets/index-1a.js')).text).toBe('app()')
  })
})

describe('the console, not built', () => {
  it('says how to build it, and is served as soon as it is built', async () => {
    const fetch = await start()
    for (const path of ['/console/', '/console/runs/run_1']) {
      const { status, headers, text } = await fetch(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toContain('npm run docs:build')
    }
    await build()
    expect((await fetch('/console/')).text).toBe(FILES['index.html'])
  })
})
