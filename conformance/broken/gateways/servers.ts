import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { type BrokenServer, startListener } from './start-listener.ts'

/** A completely broken server, and the expected verdict of the suite. */
export interface WhollyBroken {
  /** Completes "a server that …". */
  readonly name: string
  start(): Promise<BrokenServer>
  /** Part of the expected verdict: why the suite reports the server as absent, or why nearly all checks fail. */
  readonly verdict: { readonly absent: string } | { readonly cause: string }
}

/** Answers the first request of a connection with these bytes, and leaves the connection open. */
const saying =
  (...pieces: readonly string[]) =>
  (socket: Socket): void => {
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece)
    })
  }

const answering = (listener: RequestListener) => async (): Promise<BrokenServer> => {
  const server = createServer(listener)
  return startListener((socket) => server.emit('connection', socket))
}

const PIECE_MS = 40

/** Writes until the client disconnects. */
const dripping = (head: string, piece: string) => (socket: Socket) => {
  socket.write(head)
  const timer = setInterval(() => socket.write(piece), PIECE_MS)
  socket.on('close', () => clearInterval(timer))
}

const HEAD = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n'

/** Time limit for the first two answers of each of these servers. */
export const START_MS = 4000
/** How long the slow server takes for each answer: two exceed `START_MS`. */
const SLOW_ANSWER_MS = 0.6 * START_MS

export const WHOLLY_BROKEN: readonly WhollyBroken[] = [
  {
    name: 'does not listen',
    start: async () => {
      const server = await startListener(() => {})
      await server.close()
      return { ...server, close: async () => {} }
    },
    verdict: { absent: 'nothing listens there' },
  },
  { name: 'answers nothing', start: () => startListener(() => {}), verdict: { absent: 'no answer began within' } },
  {
    name: 'closes every connection',
    start: () => startListener((socket) => socket.destroy()),
    verdict: { absent: 'the connection ended before' },
  },
  {
    name: 'answers garbage',
    start: () => startListener(saying('\u0000\u0001 this is no HTTP \r\n\r\n')),
    verdict: { absent: 'the answer is not HTTP' },
  },
  {
    name: 'closes the connection within the head',
    start: () =>
      startListener((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\ncontent-ty'))
      }),
    verdict: { absent: 'the connection ended before' },
  },
  {
    name: 'never ends its head',
    start: () => startListener(dripping('HTTP/1.1 201 Created\r\n', 'x-more: and more\r\n')),
    verdict: { absent: 'no answer began within' },
  },
  {
    name: 'never ends a body',
    start: () => startListener(dripping(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n')),
    verdict: { absent: 'did not end within' },
  },
  {
    name: 'closes the connection within each body',
    start: () =>
      startListener((socket) => {
        socket.once('data', () => socket.end(`${HEAD}content-length: 100\r\n\r\n{`))
      }),
    verdict: { absent: 'broke off' },
  },
  {
    name: 'answers slowly',
    start: answering((_request, response) => {
      setTimeout(() => response.writeHead(201, { 'content-type': 'application/json' }).end('{}'), SLOW_ANSWER_MS)
    }),
    verdict: { absent: 'its second answer did not arrive' },
  },
  {
    name: 'redirects without end',
    start: answering((request, response) => {
      response.writeHead(307, { location: `${request.url}/on` }).end()
    }),
    verdict: { cause: 'answers 307 instead of 201' },
  },
  {
    name: 'answers everything with 500',
    start: answering((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"oh"}')
    }),
    verdict: { cause: 'answers 500 instead of 201' },
  },
  {
    name: 'answers everything with an HTML page',
    start: answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>It works!</h1>')
    }),
    verdict: { cause: 'answers 200 instead of 201' },
  },
  {
    name: 'answers everything with 200 and {}',
    start: answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }),
    verdict: { cause: 'answers 200 instead of 201' },
  },
  {
    name: 'refuses every key',
    start: answering((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"code":"UNAUTHENTICATED"}')
    }),
    verdict: { absent: 'your key is refused: nothing was examined' },
  },
  {
    name: 'answers everything with 404',
    start: answering((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"code":"NOT_FOUND"}')
    }),
    verdict: { cause: 'answers 404 instead of 201' },
  },
  {
    name: 'creates conversations but does not find them',
    start: answering((request, response) => {
      const isCreation = request.method === 'POST' && request.url === '/api/v1/conversations'
      response
        .writeHead(isCreation ? 201 : 404, { 'content-type': 'application/json' })
        .end(isCreation ? '{"conversation_id":"conv_1","generation":1}' : '{}')
    }),
    verdict: { cause: 'answers 404 instead of 202' },
  },
]
