import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBuildFolder } from '../support/build-folder.ts'
import { serverOfTest } from './support.ts'

const FILES = {
  'index.html': '<!doctype html><script type="module" src="/console/assets/index-1a.js"></script>',
  'assets/index-1a.js': 'app()',
  'assets/index-1a.js.br': brotliCompressSync('app()'),
}

const start = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = await createBuildFolder()
  await folder.write(files)
  const server = await serverOfTest({ consoleFolder: folder.path })
  const get = (path: string, headers: Record<string, string> = {}) =>
    server.fetch(path, { bare: true, headers: { 'accept-encoding': 'identity', ...headers } })
  return { folder, get }
}

describe('the built console', () => {
  it('returns the same page for all its routes, without a token', async () => {
    const { get } = await start(FILES)
    const redirect = await get('/console')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '/console/'])
    for (const path of ['/console/', '/console/runs?state=failed', '/console/runs/run_0199', '/console/apps/a.b']) {
      const { status, headers, text } = await get(path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect([text, headers.get('cache-control')]).toEqual([FILES['index.html'], 'no-cache'])
    }
  })

  it('loads code and data only from its own origin, and has no inline code', async () => {
    const { get } = await start(FILES)
    for (const path of ['/console/', '/console/runs', '/console/assets/index-1a.js']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('lets browsers cache assets forever, compresses them, and returns 404 for assets of an earlier build', async () => {
    const { get } = await start(FILES)
    const asset = await get('/console/assets/index-1a.js')
    expect([asset.text, asset.headers.get('cache-control')]).toEqual(['app()', expect.stringMatching(/immutable/)])
    const compressed = await get('/console/assets/index-1a.js', { 'accept-encoding': 'gzip, br' })
    expect([compressed.text, compressed.headers.get('content-encoding')]).toEqual(['app()', 'br'])
    const { status, text } = await get('/console/assets/index-0b.js')
    expect([status, text]).toEqual([404, 'No such file.\n'])
  })
})

it('a console that is not built explains how to build it, and is served once it is built', async () => {
  const { folder, get } = await start({})
  for (const path of ['/console/', '/console/runs/run_1']) {
    const { status, headers, text } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('npm run docs:build')
  }
  await folder.write(FILES)
  expect((await get('/console/')).text).toBe(FILES['index.html'])
})
