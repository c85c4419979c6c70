import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** A proxy between a client and a PostgreSQL server, with which a test breaks the network. */
export interface TcpProxy {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Drops all further answers, or all further bytes. Null forwards everything that is sent from then on. */
  swallow(what: 'answers' | 'everything' | null): void
  /** Drops all answers as soon as a client sends these bytes, and calls `seen` at that moment. */
  swallowAnswersTo(bytes: string, seen: () => void): void
  /** Breaks every open connection. */
  cut(): void
  close(): Promise<void>
}

export const startTcpProxy = async (serverUrl: string): Promise<TcpProxy> => {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let swallowed: 'answers' | 'everything' | null = null
  let trap: ((chunk: Buffer) => void) | null = null
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pass = (from: Socket, to: Socket, isSwallowed: () => boolean, look = (_: Buffer): void => {}): void => {
      sockets.add(from)
      from.on('data', (chunk: Buffer) => {
        look(chunk)
        if (!isSwallowed()) to.write(chunk)
      })
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => to.destroy())
    }
    pass(
      client,
      upstream,
      () => swallowed === 'everything',
      (chunk) => trap?.(chunk),
    )
    pass(upstream, client, () => swallowed !== null)
  })
  const url = new URL(serverUrl)
  url.port = String(await listen(server))
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    swallow: (what) => {
      trap = null
      swallowed = what
    },
    swallowAnswersTo: (bytes, seen) => {
      trap = (chunk) => {
        if (!chunk.includes(bytes)) return
        trap = null
        swallowed = 'answers'
        seen()
      }
    },
    cut,
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
