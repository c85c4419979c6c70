import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { builtFiles } from './built-files.ts'
import { errorsPage } from './errors-page.ts'
import { unbuiltSitePage } from './unbuilt-site-page.ts'

const HTML = 'text/html; charset=utf-8'

/**
 * Serves the built documentation under `/docs`, pages without `.html` in their address. The site may be built or
 * replaced while this process runs. `/docs/errors`, where the `type` of every problem leads, answers even without it
 * (D-08).
 */
export const registerSite = async (app: FastifyInstance, folder: string): Promise<void> => {
  const readPolicy = createPolicyReader(join(folder, 'index.html'))
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301))
  await app.register(
    async (site) => {
      site.addHook('onRequest', async (request, reply) => {
        const policy = await readPolicy()
        reply.header('content-security-policy', policy ?? policyWith([]))
        if (policy !== null) {
          // The compressed copy is found only by the file's exact name.
          request.raw.url = withExtension(request.raw.url ?? '')
          return
        }
        reply.header('content-type', HTML)
        const isErrors = request.url.split('?', 1)[0] === '/docs/errors'
        return reply.send(isErrors ? errorsPage : unbuiltSitePage)
      })
      await site.register(statics, builtFiles(folder))
      site.setNotFoundHandler((_request, reply) => sendNotFound(reply))
      // Paths that the file server refuses, such as with dots, are also 404.
      site.setErrorHandler((error, _request, reply) => {
        if (!isRefusedPath(error)) throw error
        return sendNotFound(reply)
      })
    },
    { prefix: '/docs' },
  )
}

/** Maps a page's address without `.html` to its file: `/docs/errors?a` → `/docs/errors.html?a`. */
const withExtension = (url: string): string => url.replace(/(?<=\/[\w-]+)(?=$|\?)/, '.html')

const sendNotFound = (reply: FastifyReply): FastifyReply => reply.code(404).sendFile('404.html')

const isRefusedPath = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && (error.statusCode === 400 || error.statusCode === 403)

/** Content security policy: everything comes from this origin; inline scripts are allowed by hash. */
const policyWith = (scripts: readonly string[]): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts.map((script) => `'sha256-${hash('sha256', script, 'base64')}'`)].join(' '),
    // Highlighted code uses style attributes for its colours.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The policy for the current build; null without one. All pages have the same inline scripts as the first. */
const createPolicyReader = (index: string): (() => Promise<string | null>) => {
  let known = { version: '', policy: '' }
  return async () => {
    const entry = await stat(index).catch(() => null)
    if (entry === null) return null
    const version = `${entry.mtimeMs} ${entry.ino}`
    if (known.version !== version) {
      const page = await readFile(index, 'utf8').catch(() => null)
      if (page === null) return null
      known = { version, policy: policyWith([...page.matchAll(INLINE_SCRIPT)].map(([, script = '']) => script)) }
    }
    return known.policy
  }
}
