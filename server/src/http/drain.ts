import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How often connections are looked at that became idle after the server began to close. */
const LOOK_MS = 20
/** How long a connection that has not sent a byte yet may go on doing so: its request may just be on its way. */
const SILENT_MS = 500

/**
 * Returns what lets requests under way finish while the server closes, and closes each connection as soon as it is idle:
 * kept alive, it would hold up the closing for as long as its client likes. Connections that were only opened, as clients
 * do in advance, count as busy for Node and are closed soon. What is not done after `drainMs` is cut off.
 */
export const createDrain = (app: FastifyInstance, drainMs: number): (() => void) => {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    const timers = [
      setInterval(() => server.closeIdleConnections(), LOOK_MS),
      setTimeout(() => {
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      }, SILENT_MS),
      setTimeout(() => server.closeAllConnections(), drainMs),
    ]
    server.once('close', () => timers.forEach(clearTimeout))
  }
}
