/** A separate process that answers every request immediately, so that only the work of the clients is measured. */
import { createServer } from 'node:http'

const ADMISSION = JSON.stringify({
  conversation_id: 'conv_0199d3a1c0de7f30a1b2c3d4e5f60718',
  generation: 1,
  message_id: 'msg_0199d3a1c0e27a44b5c6d7e8f9011223',
  run_id: 'run_0199d3a1c0e37b55c6d7e8f901122334',
  state: 'queued',
  event_cursor: 12,
})
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(ADMISSION),
  'x-request-id': 'req_0199d3a1c0de7f30a1b2c3d4e5f60718',
}

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(202, HEADERS).end(ADMISSION))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('disconnect', () => process.exit(0))
