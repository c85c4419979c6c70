import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import { signCallback } from '../../src/callbacks/index.ts'
import { tailOf } from './tail-of.ts'

const EVENT = {
  conversation_id: 'conv_1',
  generation: 1,
  event_id: 'evt_1',
  seq: 4,
  run_id: 'run_1',
  message_id: 'msg_1',
  type: 'run.completed',
  payload: { state: 'succeeded', result: { text: 'Done' } },
} as const

const SECRET = 'the secret of a test'

/** A program that receives callbacks on the port PORT and verifies them with CALLBACK_SECRET. */
export interface ReceiverProgram {
  readonly file: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

interface RunningReceiver {
  readonly url: string
  /** Its standard output so far. */
  output(): string
}

/** Starts the program on the port, and ends it when `use` is done. */
export const withReceiver = async (
  { file, cwd, env }: ReceiverProgram,
  { port, secret }: { readonly port: number; readonly secret: string },
  use: (receiver: RunningReceiver) => Promise<void>,
): Promise<void> => {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { ...env, PORT: String(port), CALLBACK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const output = tailOf(child.stdout)
  const errors = tailOf(child.stderr)
  const url = `http://127.0.0.1:${port}/callbacks`
  try {
    await untilListening(child, url).catch((cause: unknown) => {
      throw new Error(`the receiver ended:\n${errors()}`, { cause })
    })
    await use({ url, output })
  } finally {
    child.kill()
    await ended
  }
}

/**
 * The program must accept a signed callback, recognise its repeat, refuse an unsigned one, and print the ID and the
 * text of completed runs.
 */
export const checkReceiver = async (program: ReceiverProgram): Promise<void> => {
  let output = (): string => ''
  await withReceiver(program, { port: await freePort(), secret: SECRET }, async (receiver) => {
    output = receiver.output
    const { headers, body } = await signCallback(EVENT, { secret: SECRET })
    const post = (init: RequestInit): Promise<Response> => fetch(receiver.url, { method: 'POST', ...init })
    expect((await post({ headers, body })).status).toBe(200)
    expect(await (await post({ headers, body })).json()).toEqual({ outcome: 'duplicate' })
    expect((await post({ headers: { 'content-type': 'application/json' }, body })).status).toBe(401)
  })
  expect(output()).toBe('run_1 Done\n')
}

/** Below the ports of outgoing connections, one of which could otherwise occupy the port before it is used. */
const [LOWEST_PORT, HIGHEST_PORT] = [20_000, 32_000]

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT))
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Retries until a connection is accepted. Rejects if the process ends before. */
async function untilListening(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (child.exitCode !== null) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
