import { spawn } from 'node:child_process'
import type { WorkerConfig } from '../config/worker-config.ts'
import { endWithSuite } from '../end-with-suite.ts'
import type { Transcript } from '../transcript.ts'

/** The program of a worker under test. */
export interface WorkerProcess {
  /** Asks it to end, as a supervisor does. */
  terminate(): void
  /** Resolves with its exit code, or the signal that ended it. Rejects if it runs longer than the deadline. */
  ended(): Promise<number | NodeJS.Signals>
  /** Ends it at once. */
  kill(): Promise<void>
}

export interface WorkerEnvironment {
  readonly url: string
  readonly key: string
  readonly service: string
  readonly stepMs: number
  readonly transcript: Transcript
}

const MAX_LAST_WORDS = 2000

/** Starts the program. Rejects when that fails. */
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
  let lastWords = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_LAST_WORDS)
  })
  const started = Promise.withResolvers<void>()
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', (error) => {
      started.reject(new Error(`The worker ${program} could not be started: ${error.message}`))
      resolve(1)
    })
    child.once('spawn', started.resolve)
    child.once('close', (code, signal) => {
      transcript.add('note', `The worker ended: ${signal ?? `exit code ${code}`}. It wrote: ${lastWords.trim()}`)
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
          () => reject(new Error(`The worker must end, but goes on after ${stepMs} ms; it wrote: ${lastWords.trim()}`)),
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
