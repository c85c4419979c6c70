import { createServer } from 'node:http'
import type { EventEnvelope } from '../../src/generated/gateway.ts'

/** Answers every request with a log's events after the requested position, quickly and without a database. */
export interface RecordedStream {
  readonly origin: string
  close(): Promise<void>
}

export const serveRecordedStream = async (log: readonly EventEnvelope[]): Promise<RecordedStream> => {
  const server = createServer((request, response) => {
    const after = Number(request.headers['last-event-id'] ?? 0)
    const frames = log.filter(({ seq }) => seq > after).map(toFrame)
    response.sendDate = false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`retry: 1000\n\n${frames.join('')}: ping\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const toFrame = (event: EventEnvelope): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
