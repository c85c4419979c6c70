import { existsSync } from 'node:fs'
import { join } from 'node:path'
import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { builtFiles } from './built-files.ts'
import { unbuiltConsolePage } from './unbuilt-console-page.ts'

/** The page may only call this process, has no inline code, and may not be framed. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Serves the built console under `/console`, without a token: the page asks for it and keeps it in memory. Every path
 * that is not a file is a route of the page, except under `assets/`. The console may be built or replaced while this
 * process runs.
 */
export const registerConsole = async (app: FastifyInstance, folder: string): Promise<void> => {
  const index = join(folder, 'index.html')
  app.get('/console', (_request, reply) => reply.redirect('/console/', 301))
  await app.register(
    async (page) => {
      page.addHook('onRequest', async (_request, reply) => {
        reply.headers(HEADERS)
        if (existsSync(index)) return
        return reply.type('text/html; charset=utf-8').send(unbuiltConsolePage)
      })
      await page.register(statics, builtFiles(folder))
      page.setNotFoundHandler((request, reply) => {
        if (request.url.startsWith('/console/assets/'))
          return reply.code(404).type('text/plain').send('No such file.\n')
        return reply.sendFile('index.html')
      })
    },
    { prefix: '/console' },
  )
}
