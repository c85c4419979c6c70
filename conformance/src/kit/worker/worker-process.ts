import { spawn } from 'node:child_process'
import type { WorkerConfig } from '../config/worker-config.ts'
import { endWithSuite } from '../end-with-suite.ts'
import type { Transcript } from '../transcript.ts'

/** The program of a worker under test. */
export interface WorkerProcess {
  /** Sends SIGTERM, as a supervisor does. */
  terminate(): void
  /** Resolves with its exit code, or with the signal that ended it. Rejects if it has not ended after `stepMs`. */
  ended(): Promise<number | NodeJS.Signals>
  /** Sends SIGKILL, and resolves when the program has ended. */
  kill(): Promise<void>
}

export interface WorkerEnvironment {
  readonly url: string
  readonly key: string
  readonly service: string
  readonly stepMs: number
  readonly transcript: Transcript
}

const MAX_STDERR_CHARACTERS = 2000

/** Starts the program. Rejects if it cannot be started. */
export const startWorker = async (
  { command, cwd, env }: WorkerConfig,
  { url, key, service, stepMs, transcript }: WorkerEnvironment,
): Promise<WorkerProcess> => {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, GATEWAY_BASE_URL: url, GATEWAY_DEVICE_KEY: key, SERVICES: service },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithSuite(child)
  let stderrTail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-MAX_STDERR_CHARACTERS)
  })
  const started = Promise.withResolvers<void>()
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', (error) => {
      started.reject(new Error(`The worker ${program} could not be started: ${error.message}`))
      resolve(1)
    })
    child.once('spawn', started.resolve)
    child.once('close', (code, signal) => {
      transcript.add('note', `The worker ended: ${signal ?? `exit code ${code}`}. Standard error: ${stderrTail.trim()}`)
      resolve(signal ?? code ?? 1)
    })
  })
  await started.promise
  return {
    terminate: () => void child.kill('SIGTERM'),
    ended: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () =>
            reject(
              new Error(`The worker must end, but still runs after ${stepMs} ms; standard error: ${stderrTail.trim()}`),
            ),
          stepMs,
        )
      })
      return Promise.race([exited, late]).finally(() => clearTimeout(timer))
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
