/**
 * A backend process that the test kills. `send <text>` sends a message with a file outbox. `die-on-answer <text>` does
 * too, and kills itself when the program receives the answer. `recover` finishes the entries that an earlier process
 * left, and prints the outcome of each.
 */
import { createClient } from '../../src/index.ts'
import { fileOutbox } from '../../src/outbox/file-outbox.ts'
import { API_KEY } from '../support/gateway-process.ts'

const [baseUrl = '', folder = '', subject = '', conversationId = '', command = '', text = ''] = process.argv.slice(2)

const outbox = fileOutbox(folder)
const client = createClient({
  baseUrl,
  apiKey: API_KEY,
  subject,
  backoff: { baseMs: 20, maxMs: 100 },
  outbox,
})

if (command === 'recover') {
  const ended: string[] = []
  for await (const recovery of client.recover())
    ended.push(recovery.kind === 'admitted' && 'message_id' in recovery.data ? recovery.data.message_id : recovery.kind)
  process.stdout.write(`${JSON.stringify(ended)}\n`)
} else {
  const sent = client.messages.send(conversationId, { expected_generation: 1, input: { text } })
  if (command === 'die-on-answer') await sent.withResponse().then(() => process.kill(process.pid, 'SIGKILL'))
  await sent
  process.stdout.write('sent\n')
}
