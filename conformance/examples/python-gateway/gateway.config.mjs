import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { defineServerConfig } from '@conversation-gateway/conformance'

/** Maximum requests a second for a key; 0 removes the limit. */
const RATE = process.env.PYTHON_GATEWAY_RATE ?? '500'

const SUBJECTS = { first: 'customer-a', second: 'customer-b' }

/** Returns a free port for the suite's receiver of callbacks. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Starts the gateway on free ports. The first line of its output contains the settings that the suite needs. */
async function start() {
  const port = await freePort()
  const gateway = spawn(
    'python3',
    [
      fileURLToPath(new URL('.', import.meta.url)),
      ...['--port', '0', '--control-port', '0', '--callback-origin', `http://127.0.0.1:${port}`, '--rate', RATE],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve) => gateway.once('exit', resolve).once('error', resolve))
  const lines = createInterface({ input: gateway.stdout })
  const line = await Promise.race([new Promise((resolve) => lines.once('line', resolve)), ended.then(() => null)])
  if (line === null) throw new Error('the gateway ended before it was ready; it needs python3, 3.11 or later')
  const { callbacks, ...ready } = JSON.parse(line)
  return {
    ...ready,
    name: 'the gateway in Python',
    subjects: SUBJECTS,
    callbacks: { ...callbacks, receiver: { host: '127.0.0.1', port, path: '/callbacks' } },
    another: start,
    stop: async () => {
      gateway.kill()
      await ended
    },
  }
}

export default defineServerConfig(start)
