import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
/**
 * In tests, the embedded database's WebAssembly is not compiled a second time with optimisations, so a start is
 * cheaper. Benchmarks keep the optimisations.
 */
const ENGINE_FLAGS = process.env.VITEST === undefined ? [] : ['--liftoff-only']
const START_DEADLINE_MS = 300_000
/**
 * Some tests leave runs that never end, so a drain must be short. Not set for the program of an earlier version, which
 * may not know the setting.
 */
const DRAIN = { GATEWAY_DRAIN_MS: '2000' }
const READY_LINE = /^\{"event":"ready","base_url":"([^"]+)".*\}$/m
const LOG_CHARACTERS = 1_000_000

type Settings = Readonly<Record<string, string>>

/** A gateway in a separate process, started as an operator starts it. */
export interface GatewayProcess {
  /** The origin in the ready line. */
  readonly baseUrl: string
  readonly pid: number
  /** The standard output so far. */
  output(): string
  /** The standard error so far, at most its last million characters. */
  log(): string
  /** Default SIGTERM; resolves with the exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
}

export interface EndedProcess {
  readonly code: number | null
  readonly output: string
  readonly log: string
}

/**
 * Starts `main.ts` and waits for its ready line (D-49). The settings override the defaults of tests: a free port, the
 * log level warn and a short drain.
 * @param cwd its working directory, to which paths in the settings are relative. Default: that of the tests.
 * @param main the program to start. Default: that of this checkout.
 */
export const startGateway = async (
  settings: Settings,
  cwd?: string,
  args: readonly string[] = [],
  main = MAIN,
): Promise<GatewayProcess> => {
  const withLogLevel = { GATEWAY_LOG_LEVEL: 'warn', ...settings }
  const { child, pid, output, log, exited } = spawnGateway(withLogLevel, args, main, cwd)
  const baseUrl = await Promise.race([
    readyLine(child, output),
    exited.then((code) => {
      throw new Error(`the gateway ended with ${code} before it was ready:\n${log()}`)
    }),
    deadline(() => `the gateway was not ready after ${START_DEADLINE_MS} ms:\n${log()}`),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    baseUrl,
    pid,
    output,
    log,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Runs `main.ts`, sends it no signal, and waits until it ends. */
export const runGateway = async (
  settings: Settings,
  args: readonly string[] = [],
  main = MAIN,
): Promise<EndedProcess> => {
  const { child, output, log, exited } = spawnGateway(settings, args, main)
  const code = await Promise.race([exited, deadline(() => `the gateway did not end:\n${log()}`)]).finally(() => {
    child.kill('SIGKILL')
  })
  return { code, output: output(), log: log() }
}

/** Starts `main.ts` without waiting for its ready line. */
export const spawnGateway = (settings: Settings, args: readonly string[] = [], main = MAIN, cwd?: string) => {
  const child = spawn(process.execPath, [...ENGINE_FLAGS, main, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, GATEWAY_PORT: '0', ...(main === MAIN ? DRAIN : {}), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  if (child.pid === undefined) throw new Error('the process could not be started')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-LOG_CHARACTERS)
  })
  // 'close' comes after the exit and after all output.
  const exited = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  const kill = (signal: NodeJS.Signals) => child.kill(signal)
  return { child, kill, pid: child.pid, output: () => output, log: () => log, exited }
}

/** Resolves with the base URL of the ready line. Never settles if the process ends before. */
const readyLine = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve) => {
    child.stdout?.on('data', () => {
      const [, baseUrl] = READY_LINE.exec(output()) ?? []
      if (baseUrl !== undefined) resolve(baseUrl)
    })
  })

const deadline = (message: () => string): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message())), START_DEADLINE_MS).unref()
  })
