import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Listens on a free port of loopback; returns the port. */
export const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Closes an HTTP server and all its connections. */
export const closeServer = async (server: HttpServer): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
