import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { defineReceiverConfig } from '@conversation-gateway/conformance'

const RECEIVER = fileURLToPath(new URL('receiver.py', import.meta.url))
const SECRET = 'f00d5ec7e70f0123456789abcdeffedcba9876543210c0ffee00d15ea5e0b0ba'

/** Returns the table's record of an event. */
function readStored(file, eventId) {
  const database = new DatabaseSync(file, { timeout: 30_000 })
  try {
    const found = database.prepare('SELECT run_id, conversation_id, body FROM events WHERE event_id = ?').get(eventId)
    if (found === undefined) return null
    const { run_id: runId, conversation_id: conversationId, body } = found
    return { body: Buffer.from(body).toString(), runId, conversationId, handled: 1 }
  } finally {
    database.close()
  }
}

/** Starts the receiver on a free port, with a complete driver. */
async function start() {
  const home = await mkdtemp(join(tmpdir(), 'conformance-python-receiver-'))
  const folder = join(home, 'store')
  const away = join(home, 'store-away')
  const file = join(folder, 'events.db')
  await mkdir(folder)

  const launch = async (port) => {
    const receiver = spawn('python3', [RECEIVER], {
      env: { ...process.env, CALLBACK_SECRET: SECRET, STORE: file, PORT: port },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => receiver.once('exit', resolve).once('error', resolve))
    const lines = createInterface({ input: receiver.stdout })
    const line = await Promise.race([new Promise((resolve) => lines.once('line', resolve)), ended.then(() => null)])
    if (line === null) throw new Error('the receiver ended before it was ready; it needs python3, 3.9 or later')
    const kill = async () => {
      receiver.kill('SIGKILL')
      await ended
    }
    return { url: JSON.parse(line).url, kill }
  }
  let running = await launch('0')
  const { url } = running
  return {
    name: 'the receiver in Python',
    url,
    secret: SECRET,
    driver: {
      stored: async (eventId) => readStored(file, eventId),
      kill: () => running.kill(),
      restart: async () => {
        await running.kill()
        running = await launch(new URL(url).port)
      },
      breakStorage: () => rename(folder, away),
      mendStorage: () => rename(away, folder),
    },
    stop: async () => {
      await running.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

export default defineReceiverConfig(start)
