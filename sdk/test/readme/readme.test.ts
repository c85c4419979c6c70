import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signCallback } from '../../src/callbacks/index.ts'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'
import { countBlocks, readSnippets, type Snippet } from './readme-snippets.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const snippets = readSnippets()
const fileOf = ({ line }: Snippet): string => `line-${line}.ts`

let folder = ''
let gateway: GatewayProcess
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  // Inside the package, whose own name then leads to its sources; Node runs no TypeScript under node_modules.
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url))
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'readme-'))
  for (const snippet of snippets) await writeFile(join(folder, fileOf(snippet)), snippet.code)
  // As `npm start` does on an empty database: with the demo, whose key is kept beside the data.
  const data = join(folder, 'data')
  gateway = await startGateway({ GATEWAY_BOOTSTRAP: undefined, GATEWAY_DATA_DIR: data })
  const key = (await readFile(join(data, 'demo-key'), 'utf8')).trim()
  env = { PATH: process.env.PATH, GATEWAY_BASE_URL: gateway.origin, GATEWAY_API_KEY: key }
})

afterAll(async () => {
  await gateway?.remove()
  await rm(folder, { recursive: true, force: true })
})

describe('the README', () => {
  it('has snippets, and each of its TypeScript blocks is one of them', () => {
    expect(snippets.length).toBeGreaterThan(5)
    expect(snippets.length).toBe(countBlocks())
  })

  it('has snippets that compile', async () => {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['*.ts'],
      exclude: [],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  it.each(snippets.filter(({ kind }) => kind === ''))(
    'has a snippet at line $line that runs to its end',
    async (snippet) => {
      const { stderr } = await run(process.execPath, [fileOf(snippet)], { cwd: folder, env })
      expect(stderr).toBe('')
    },
  )

  it('starts with a quickstart that prints the echo and how the run ended', async () => {
    const first = snippets[0]
    expect(first?.kind).toBe('quickstart')
    const { stdout } = await run(process.execPath, [first ? fileOf(first) : ''], { cwd: folder, env })
    expect(stdout).toBe('Hello there\nsucceeded\n')
  })

  it('has a receiver that takes a signed callback and refuses an unsigned one', async () => {
    const serving = snippets.filter(({ kind }) => kind === 'serve')
    expect(serving).toHaveLength(1)
    for (const snippet of serving) {
      const port = await freePort()
      const secret = 'the secret of a test'
      const child = spawn(process.execPath, [fileOf(snippet)], {
        cwd: folder,
        env: { ...env, PORT: String(port), CALLBACK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const event = {
          conversation_id: 'conv_1',
          generation: 1,
          event_id: 'evt_1',
          seq: 4,
          run_id: 'run_1',
          message_id: 'msg_1',
          type: 'run.completed',
          payload: { state: 'succeeded', result: { text: 'Done' } },
        } as const
        const { headers, body } = await signCallback(event, { secret })
        const post = (init: RequestInit): Promise<Response> =>
          fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...init })
        const line = once(child.stdout, 'data')
        expect((await untilListening(child, () => post({ headers, body }))).status).toBe(200)
        expect(String((await line)[0])).toBe('run_1 Done\n')
        expect((await post({ headers: { 'content-type': 'application/json' }, body })).status).toBe(401)
      } finally {
        child.kill()
      }
    }
  })

  it('leaves nothing in the outbox that its snippet opened', async () => {
    expect(await readdir(join(folder, '.outbox')).catch(() => [])).toEqual([])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return address.port
}

/** Asks until the connection is taken; a process that ends meanwhile will never listen. */
async function untilListening(child: ChildProcess, ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (child.exitCode !== null) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
