/**
 * A backend of its own that sends one message under a file outbox, and kills itself at a step of it: whenever something
 * that was awaited goes on is a step. `send <n>` dies at the n-th, `send 0` at none and prints how many there are;
 * `recover` prints what it heard of. What the program hears of, it writes to its journal at once.
 */
import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../src/index.ts'
import { fileOutbox } from '../../src/outbox/file-outbox.ts'
import { API_KEY } from '../support/gateway-process.ts'

const [baseUrl = '', folder = '', subject = '', conversationId = '', command = '', step = '0'] = process.argv.slice(2)
const journal = join(folder, 'journal')
/** Late enough that nothing is held by the one that died. */
const aheadMs = command === 'recover' ? 60_000 : 0

const client = createClient({
  baseUrl,
  apiKey: API_KEY,
  subject,
  backoff: { baseMs: 5, maxMs: 20 },
  outbox: fileOutbox(join(folder, 'outbox')),
  timing: {
    now: () => Date.now() + aheadMs,
    elapsed: () => performance.now(),
    random: () => 1,
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  },
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
  // Work after the program has resumed counts as steps, too.
  await new Promise((resolve) => setTimeout(resolve, 20))
  hook.disable()
  process.stdout.write(String(steps))
}
