/**
 * A web service that answers like the assistant `echo`, in a separate process. Prints its URL as JSON; ends on SIGTERM.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { wordsOf } from '@conversation-gateway/openapi/behaviour/echo'

export interface HttpAssistantReady {
  readonly url: string
}

const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: { text: string } }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const delta of wordsOf(input.text)) response.write(`${JSON.stringify({ delta })}\n`)
  response.end(`${JSON.stringify({ end: { state: 'succeeded' } })}\n`)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const ready: HttpAssistantReady = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/run` }
console.log(JSON.stringify(ready))
process.on('SIGTERM', () => process.exit(0))
