import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_DEADLINE_MS = 60_000

/** A gateway running as a process of its own, as an operator would start it. */
export interface GatewayProcess {
  /** Origin, without a path; empty for a process without the api role. */
  readonly baseUrl: string
  readonly pid: number
  /** What the process wrote to standard error so far. */
  log(): string
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
}

/** Starts `main.ts` with these settings on top of loopback and a free port, and waits for its ready line (D-49). */
export const startGateway = async (settings: Readonly<Record<string, string>>): Promise<GatewayProcess> => {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GATEWAY_PORT: '0',
    GATEWAY_LOG_LEVEL: 'warn',
    ...settings,
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-1_000_000)
  })
  const exited = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  const ready = await Promise.race([
    readyLine(child),
    exited.then((code) => {
      throw new Error(`the gateway ended with ${code} before it was ready:\n${log}`)
    }),
    deadline(() => `the gateway was not ready after ${START_DEADLINE_MS} ms:\n${log}`),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  if (child.pid === undefined) throw new Error('a started process has a pid')
  return {
    baseUrl: ready,
    pid: child.pid,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const readyLine = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new Error('standard output is piped')
  for await (const line of createInterface({ input: child.stdout })) {
    const parsed = parseLine(line)
    if (parsed !== null) {
      // The rest of standard output is nobody's business here, but it has to be read.
      child.stdout.resume()
      return parsed
    }
  }
  // It has ended, and how is told by its exit.
  return new Promise(() => {})
}

const parseLine = (line: string): string | null => {
  if (!line.startsWith('{')) return null
  const value: unknown = JSON.parse(line)
  if (typeof value !== 'object' || value === null || !('event' in value) || value.event !== 'ready') return null
  return 'base_url' in value && typeof value.base_url === 'string' ? value.base_url : ''
}

const deadline = (message: () => string): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message())), START_DEADLINE_MS).unref()
  })
