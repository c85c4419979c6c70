import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { registerSite } from './site.ts'

/**
 * Serves the public contract as `/openapi.json` and `/openapi.yaml`, and the site under `/docs`; `/`, `/llms.txt` and
 * `/llms-full.txt` redirect there. No authentication.
 * @param siteFolder The built site. While the folder is missing, a page explains how to build it.
 */
export const registerDocs = async (app: FastifyInstance, siteFolder: string): Promise<void> => {
  const path = fileURLToPath(import.meta.resolve('@conversation-gateway/openapi/gateway.json'))
  await app.register(swagger, { mode: 'static', specification: { path, baseDir: dirname(path) } })
  serveJson(app, '/openapi.json', app.swagger())
  let yaml: string | undefined
  app.get('/openapi.yaml', (_request, reply) => {
    // Serialised on first use: few clients need it, and it takes long.
    yaml ??= app.swagger({ yaml: true })
    return reply.header('content-type', 'application/yaml').send(yaml)
  })
  app.get('/', (_request, reply) => reply.redirect('/docs/', 302))
  // Programs expect it at the root.
  for (const file of ['llms.txt', 'llms-full.txt'])
    app.get(`/${file}`, (_request, reply) => reply.redirect(`/docs/${file}`, 302))
  await registerSite(app, siteFolder)
}

/** Serves a document without authentication. */
export const serveJson = (app: FastifyInstance, url: string, document: object): void => {
  const text = JSON.stringify(document)
  app.get(url, (_request, reply) => reply.header('content-type', 'application/json').send(text))
}
