import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A loopback server for a broken program. */
export interface BrokenServer {
  readonly origin: string
  close(): Promise<void>
}

/** Starts a server with this connection handler. */
export async function startListener(onConnection: (socket: Socket) => void): Promise<BrokenServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
