import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Steers the clock of a gateway that was started with `nodeArguments` and `environment()`. */
export interface ClockControl {
  readonly nodeArguments: readonly string[]
  /** For a process that is started now: it begins with the time that has been reached. */
  environment(): Readonly<Record<string, string>>
  /** Moves the clock forward; resolves when the process has it. */
  move(milliseconds: number): Promise<void>
  close(): Promise<void>
}

export async function createClockControl(): Promise<ClockControl> {
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.setEncoding('utf8')
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  let offsetMs = 0

  const tell = async (socket: Socket): Promise<void> => {
    const over = new AbortController()
    const told = Promise.race([once(socket, 'data', over), once(socket, 'close', over)])
    socket.write(`${offsetMs}\n`)
    await told
    over.abort()
  }
  return {
    nodeArguments: ['--import', fileURLToPath(new URL('./moved-clock.mjs', import.meta.url))],
    environment: () => ({
      CONFORMANCE_CLOCK_PORT: String(address.port),
      CONFORMANCE_CLOCK_OFFSET_MS: String(offsetMs),
    }),
    move: async (milliseconds) => {
      if (connections.size === 0) throw new Error('no gateway process listens for its clock')
      offsetMs += milliseconds
      await Promise.all([...connections].map(tell))
    },
    close: async () => {
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
