import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Controls a gateway process from inside, if it was started with `nodeArguments` and `environment()`. */
export interface ProcessControl {
  readonly nodeArguments: readonly string[]
  /** Environment for a new process, whose clock starts with all moves so far. */
  environment(): Readonly<Record<string, string>>
  /** Moves the clock forward. Resolves when the process has applied the move. */
  moveClock(milliseconds: number): Promise<void>
  /** Makes the process close the connection instead of sending its next answers to requests with an Idempotency-Key. */
  loseAnswers(count: number): Promise<void>
  close(): Promise<void>
}

export async function createProcessControl(): Promise<ProcessControl> {
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

  /** Sends a command, and waits until the process has acknowledged it or disconnected. */
  const send = async (socket: Socket, line: string): Promise<void> => {
    const done = new AbortController()
    const acknowledged = Promise.race([once(socket, 'data', done), once(socket, 'close', done)])
    socket.write(`${line}\n`)
    await acknowledged
    done.abort()
  }
  const sendToAll = async (line: string): Promise<void> => {
    if (connections.size === 0) throw new Error('no gateway process is connected to its control')
    await Promise.all([...connections].map((socket) => send(socket, line)))
  }
  return {
    nodeArguments: ['--import', fileURLToPath(new URL('./controlled-process.mjs', import.meta.url))],
    environment: () => ({
      CONFORMANCE_CONTROL_PORT: String(address.port),
      CONFORMANCE_CLOCK_OFFSET_MS: String(offsetMs),
    }),
    moveClock: async (milliseconds) => {
      offsetMs += milliseconds
      await sendToAll(`clock ${offsetMs}`)
    },
    loseAnswers: (count) => sendToAll(`lose ${count}`),
    close: async () => {
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
