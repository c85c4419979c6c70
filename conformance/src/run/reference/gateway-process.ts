import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithSuite } from '../../kit/end-with-suite.ts'
import { parseJson } from '../../kit/parse-json.ts'

const START_DEADLINE_MS = 90_000
const END_DEADLINE_MS = 30_000
const LOG_CHARACTERS = 200_000

export interface GatewayCommand {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** Its working directory. Default: that of the suite. */
  readonly cwd?: string
}

/** A gateway in a process of its own. */
export interface GatewayProcess {
  /** The origin in its ready line (D-49); null if it exited before that. */
  readonly baseUrl: string | null
  output(): string
  /** The last part of its output to standard error. */
  log(): string
  /**
   * Sends the signal, and kills the process if it does not exit within 30 s. Resolves with the exit code, or null after
   * a kill.
   */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a gateway and waits until it is ready or has exited.
 * @throws {Error} Neither happens within 90 s, or it cannot be started.
 */
export async function launchGateway({ command, environment, cwd }: GatewayCommand): Promise<GatewayProcess> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
  endWithSuite(child)
  let output = ''
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-LOG_CHARACTERS)
  })
  // `close` means that it has exited and all its output has arrived.
  const exited = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new Error(`the gateway was not ready within ${START_DEADLINE_MS} ms:\n${log.slice(-4000)}`)),
    START_DEADLINE_MS,
  )
  const baseUrl = await Promise.race([readyLine(child), exited.then(() => null), deadline.promise, failed(child)])
    .catch((error: unknown) => {
      child.kill('SIGKILL')
      throw error
    })
    .finally(() => clearTimeout(timer))
  return {
    baseUrl,
    output: () => output,
    log: () => log,
    end: async (signal) => {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS)
      return exited.finally(() => clearTimeout(timer))
    },
  }
}

const failed = async (child: ChildProcess): Promise<never> => {
  const [error]: unknown[] = await once(child, 'error')
  throw new Error(`${child.spawnfile} cannot be started: ${String(error)}`)
}

/** The base URL in the ready line, once the line was written. */
const readyLine = ({ stdout }: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let rest = ''
    stdout?.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const baseUrl = parseReadyLine(line)
        if (baseUrl !== null) resolve(baseUrl)
      }
    })
  })

const parseReadyLine = (line: string): string | null => {
  const { event, base_url: baseUrl } = Object(parseJson(line))
  return event === 'ready' && typeof baseUrl === 'string' ? baseUrl : null
}
