/**
 * A backend process that sends one message with a file outbox, and kills itself at a given step. A step is the start of
 * an asynchronous callback. `send <n>` dies at the n-th step; `send 0` does not die, and prints the number of steps.
 * `recover` recovers the outbox. When the program receives an admission, both commands append the message's ID to a
 * journal.
 */
import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../src/index.ts'
import { fileOutbox } from '../../src/outbox/file-outbox.ts'
import { systemTiming } from '../../src/transport/timing.ts'
import { API_KEY } from '../support/gateway-process.ts'

const [baseUrl = '', folder = '', subject = '', conversationId = '', command = '', step = '0'] = process.argv.slice(2)
const journal = join(folder, 'journal')
/** Long enough that the claims of the dead process have expired. */
const aheadMs = command === 'recover' ? 60_000 : 0

const client = createClient({
  baseUrl,
  apiKey: API_KEY,
  subject,
  backoff: { baseMs: 5, maxMs: 20 },
  outbox: fileOutbox(join(folder, 'outbox')),
  timing: { ...systemTiming, now: () => Date.now() + aheadMs, random: () => 1 },
})

if (command === 'recover') {
  for await (const recovery of client.recover())
    if (recovery.kind === 'admitted' && 'message_id' in recovery.data)
      appendFileSync(journal, `${recovery.data.message_id}\n`)
} else {
  const dieAt = Number(step)
  let steps = 0
  const hook = createHook({
    before: () => {
      steps += 1
      if (steps === dieAt) process.kill(process.pid, 'SIGKILL')
    },
  }).enable()
  const body = { expected_generation: 1, input: { text: 'killed at any step' } }
  const { message_id } = await client.messages.send(conversationId, body, { tag: 'mine' })
  appendFileSync(journal, `${message_id}\n`)
  // Steps after the program has resumed are counted, too.
  await new Promise((resolve) => setTimeout(resolve, 20))
  hook.disable()
  process.stdout.write(String(steps))
}
