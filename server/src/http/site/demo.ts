import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { NO_ROUTE } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendRefusal } from '../answers/problem.ts'

/** Handles the requests of `/demo`. Their signals abort when the browser disconnects or the server closes. */
export type DemoPage = (request: Request) => Promise<Response>

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Serves `/demo`. Its handler acts for the demo application without authentication, so this route requires a loopback
 * name as the host and refuses requests with the `Origin` of another site.
 * @param findPage returns the handler; null (404) if no demo runs.
 */
export const registerDemo = (app: FastifyInstance, findPage: () => DemoPage | null): void => {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  app.get('/demo', (_request, reply) => reply.redirect('/demo/', 301))
  app.route({
    method: ['GET', 'POST'],
    url: '/demo/*',
    handler: async (request, reply) => {
      const page = findPage()
      if (page === null) return sendRefusal(reply, NO_ROUTE)
      if (!LOOPBACK_NAMES.has(request.hostname) || !isOwnOrigin(request)) return sendRefusal(reply, FOREIGN)
      const gone = new AbortController()
      reply.raw.on('close', () => gone.abort())
      const { method, body } = request
      const answer = await page(
        new Request(new URL(request.url, `${request.protocol}://${request.host}`), {
          method,
          signal: AbortSignal.any([gone.signal, closing.signal]),
          ...(method === 'POST' && body instanceof Buffer ? { body: new Uint8Array(body) } : {}),
        }),
      )
      return reply.headers(HEADERS).send(answer)
    },
  })
}

/** Names that merely resolve to this machine are not included (DNS rebinding). */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Browsers send `Origin` with every write. */
const isOwnOrigin = ({ headers, protocol, host }: FastifyRequest): boolean =>
  headers.origin === undefined || headers.origin === `${protocol}://${host}`

const FOREIGN = refuse(
  'NOT_FOUND',
  'The demo accepts requests only from its own page, opened on this machine as http://127.0.0.1 or http://localhost.',
)
