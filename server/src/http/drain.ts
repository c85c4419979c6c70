import type { FastifyInstance } from 'fastify'

/** How often connections are looked at that became idle after the server began to close. */
const LOOK_MS = 20

/**
 * Lets requests under way finish while the server closes, and closes each connection as soon as it is idle: kept
 * alive, it would hold up the closing for as long as its client likes. What is not done after `drainMs` is cut off, and
 * so are connections that never sent a request, which Node takes for busy.
 */
export const drain = (app: FastifyInstance, drainMs: number): void => {
  const { server } = app
  const look = setInterval(() => server.closeIdleConnections(), LOOK_MS)
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  server.once('close', () => {
    clearInterval(look)
    clearTimeout(cut)
  })
}
