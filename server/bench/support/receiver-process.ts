/**
 * A receiver of callbacks that answers 204 at once, over HTTP and TLS, and one that never answers. Prints their ports.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ReceiverReady {
  readonly http: number
  readonly https: number
  readonly silent: number
}

const TLS = new URL('../../test/support/tls/', import.meta.url)
const [cert, key] = ['cert.pem', 'key.pem'].map((name) => readFileSync(new URL(name, TLS)))

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1', 4096)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ready: ReceiverReady = {
  http: await listen(
    createServer((request, response) => void request.resume().once('end', () => response.writeHead(204).end())),
  ),
  https: await listen(
    createTlsServer(
      { cert, key },
      (request, response) => void request.resume().once('end', () => response.writeHead(204).end()),
    ),
  ),
  silent: await listen(createServer(() => {})),
}
console.log(JSON.stringify(ready))
