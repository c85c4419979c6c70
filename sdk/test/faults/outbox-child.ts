/**
 * A backend of its own, to be killed: `send <text>` sends a message under a file outbox, `linger <text>` never gets round to
 * clearing what was answered and says so, `recover` prints what it finished of an earlier one's work.
 */
import { createClient } from '../../src/index.ts'
import { fileOutbox } from '../../src/outbox/file-outbox.ts'
import { API_KEY } from '../support/gateway-process.ts'

const [baseUrl = '', folder = '', subject = '', conversationId = '', command = '', text = ''] = process.argv.slice(2)

const outbox = fileOutbox(folder)
const lingering = {
  ...outbox,
  delete: () => {
    process.stdout.write('answered\n')
    // The process lives until it is killed.
    setInterval(() => {}, 60_000)
    return new Promise<void>(() => {})
  },
}
const client = createClient({
  baseUrl,
  apiKey: API_KEY,
  subject,
  backoff: { baseMs: 20, maxMs: 100 },
  outbox: command === 'linger' ? lingering : outbox,
})

if (command === 'recover') {
  const recoveries = await client.recover()
  const told = recoveries.map(({ outcome }) =>
    outcome.kind === 'admitted' && 'message_id' in outcome.data ? outcome.data.message_id : outcome.kind,
  )
  process.stdout.write(`${JSON.stringify(told)}\n`)
} else {
  await client.messages.send(conversationId, { expected_generation: 1, input: { text } })
  process.stdout.write('sent\n')
}
