import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument } from './document.ts'
import { registerSite } from './site.ts'

export interface DocsOptions {
  /** The operator's contract; null where this process does not serve it. */
  readonly adminDocument: OpenApiDocument | null
  /** The built site. While the folder is missing, a page that says how to build it stands in its place. */
  readonly siteFolder: string
}

/**
 * Serves the contracts and the documentation: `/openapi.json` for the public contract, `/admin/openapi.json` for the
 * operator's, and the site under `/docs`. None of them takes a key.
 */
export const registerDocs = async (app: FastifyInstance, { adminDocument, siteFolder }: DocsOptions): Promise<void> => {
  const path = fileURLToPath(import.meta.resolve('@conversation-gateway/openapi/gateway.json'))
  await app.register(swagger, { mode: 'static', specification: { path, baseDir: dirname(path) } })
  serveJson(app, '/openapi.json', app.swagger())
  if (adminDocument !== null) serveJson(app, '/admin/openapi.json', adminDocument)
  await registerSite(app, siteFolder)
}

const serveJson = (app: FastifyInstance, url: string, document: object): void => {
  const text = JSON.stringify(document)
  app.get(url, (_request, reply) =>
    reply.header('content-type', 'application/json').header('x-content-type-options', 'nosniff').send(text),
  )
}
