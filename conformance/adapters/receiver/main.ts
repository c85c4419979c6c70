/**
 * A receiver of callbacks, made of the SDK's receiver kit and a journal on the disk: `CALLBACK_SECRET=… JOURNAL=…
 * PORT=… node main.ts`. Prints its URL when it is ready.
 */
import { createServer } from 'node:http'
import { createReceiver, toNodeHandler } from '@conversation-gateway/sdk/callbacks'
import { openJournalStore } from './journal-store.ts'

const { CALLBACK_SECRET = '', JOURNAL = '', PORT = '0' } = process.env

const receiver = createReceiver({ secret: CALLBACK_SECRET, store: await openJournalStore(JOURNAL) })
const server = createServer(toNodeHandler(receiver))
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.')
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/callbacks` })}\n`)
})
// The pipe closes when the suite exits, even after a crash.
process.stdin.resume().on('end', () => process.exit())
