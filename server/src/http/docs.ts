import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { refuse } from '../domain/refusal.ts'
import type { OpenApiDocument } from './document.ts'
import { errorsPage } from './errors-page.ts'
import { sendRefusal } from './problem.ts'

/** Everything that the reference needs comes from this process; a browser is told to fetch from nowhere else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ')

const INVALID_HOST = refuse('INVALID_REQUEST', 'The Host header names no host.')

/**
 * Serves the contracts and their reference: `/openapi.json` and `/docs` for the public one, `/admin/openapi.json` for
 * the operator's, and `/docs/errors`, which the `type` of every problem leads to. None of them takes a key.
 */
export const registerDocs = async (app: FastifyInstance, adminDocument: OpenApiDocument | null): Promise<void> => {
  const path = fileURLToPath(import.meta.resolve('@conversation-gateway/openapi/gateway.json'))
  await app.register(swagger, { mode: 'static', specification: { path, baseDir: dirname(path) } })
  serveText(app, '/openapi.json', 'application/json', JSON.stringify(app.swagger()))
  if (adminDocument !== null) serveText(app, '/admin/openapi.json', 'application/json', JSON.stringify(adminDocument))
  serveText(app, '/docs/errors', 'text/html; charset=utf-8', errorsPage)

  await app.register(scalar, {
    routePrefix: '/docs',
    hooks: { onRequest: protectPage },
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Conversation Gateway',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      servers: [{ url: '/', description: 'This gateway' }],
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  })
}

const serveText = (app: FastifyInstance, url: string, contentType: string, text: string): void => {
  app.get(url, { onRequest: protectPage }, (_request, reply) => reply.header('content-type', contentType).send(text))
}

const protectPage: onRequestHookHandler = (request, reply, done) => {
  // The reference builds URLs from the host, and fails on one that is none.
  if (!URL.canParse(`http://${request.hostname}`)) {
    sendRefusal(reply, INVALID_HOST)
    return
  }
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('x-content-type-options', 'nosniff')
  done()
}
