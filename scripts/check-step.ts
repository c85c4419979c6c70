/** One step of `npm run check`: a program that must succeed within its time limit. */
import { spawn } from 'node:child_process'

export interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** The time limit in minutes, several times the step's usual duration. Default 5. */
  readonly limitMinutes?: number
  /** Whether its output is shown at once, not only after a failure. */
  readonly live?: boolean
  /**
   * Whether it depends on real processes, ports and clocks. In CI such a step is retried once, and its first failure is
   * reported even if the retry passes.
   */
  readonly timed?: boolean
}

export interface StepResult {
  readonly ok: boolean
  /** How its process ended: `exit code 1`, or the signal that ended it. */
  readonly ending: string
  /** Empty for a live step at a terminal, because it writes to the terminal directly. */
  readonly output: string
  readonly seconds: number
}

const OUTPUT_GRACE_MS = 5000

/**
 * Runs a step in its own process group, so that all its processes end when it exceeds its time limit or is interrupted.
 */
export const runStep = (
  { command: [program, ...args], limitMinutes = 5, live = false }: Step,
  interrupted: AbortSignal,
): Promise<StepResult> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const output: string[] = []
    const sink = live && process.stdout.isTTY ? 'inherit' : 'pipe'
    const child = spawn(program, args, { detached: true, stdio: ['ignore', sink, sink] })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output.push(text)
        if (live) process.stdout.write(text)
      })
    const endGroup = (signal: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // The process group has already ended.
      }
    }
    const interrupt = (): void => endGroup('SIGTERM')
    if (interrupted.aborted) interrupt()
    interrupted.addEventListener('abort', interrupt, { once: true })
    const timer = setTimeout(() => {
      const notice = `Stopped: the step did not finish within ${limitMinutes} minutes.`
      if (live) console.error(notice)
      else output.push(`\n${notice}`)
      endGroup('SIGKILL')
    }, limitMinutes * 60_000)
    const settle = (ok: boolean, ending: string): void => {
      clearTimeout(timer)
      interrupted.removeEventListener('abort', interrupt)
      resolve({ ok, ending, output: output.join(''), seconds: (performance.now() - startedAt) / 1000 })
    }
    child.on('error', (error) => settle(false, error.message))
    const settleAs = (code: number | null, signal: NodeJS.Signals | null): void =>
      settle(code === 0, signal ?? `exit code ${code}`)
    child.on('close', settleAs)
    // Do not wait for 'close' alone: processes that the step left running may keep its output open.
    child.on('exit', (code, signal) => setTimeout(settleAs, OUTPUT_GRACE_MS, code, signal).unref())
  })
