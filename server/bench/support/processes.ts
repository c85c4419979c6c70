import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoadPlan, LoadResult } from './load-generator.ts'
import type { RunLoadPlan, RunLoadResult } from './run-load.ts'

/** A program of this folder in a separate process. */
export interface BenchProcess<Ready> {
  readonly ready: Ready
  readonly child: ChildProcess
  end(): Promise<void>
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Starts a program with a plan, and waits for the JSON line that it prints when it is ready. */
export const startProcess = async <Ready>(name: string, plan: unknown): Promise<BenchProcess<Ready>> => {
  const child = spawn(process.execPath, [pathOf(name), JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('standard output is not piped')
  const ended = once(child, 'exit')
  const line = await Promise.race([
    once(createInterface({ input: stdout }), 'line').then(([first]) => String(first)),
    ended.then(([code]) => {
      throw new Error(`${name} ended with ${code}`)
    }),
  ])
  stdout.resume()
  const ready: Ready = JSON.parse(line)
  return {
    ready,
    child,
    end: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs a program that reads its plan from standard input and prints one result. */
const runProgram = async <Result>(name: string, plan: unknown): Promise<Result> => {
  const child = spawn(process.execPath, [pathOf(name)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  child.stdin.end(JSON.stringify(plan))
  const result = await text(child.stdout)
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}; the reason is on standard error`)
  return JSON.parse(result)
}

/** Loads a server. @throws if the server refuses a message, because the measurement is then not valid. */
export const load = async (plan: LoadPlan): Promise<LoadResult> => {
  const result = await flood(plan)
  if (result.refused > 0) throw new Error(`the load was refused: ${result.firstRefusal}`)
  return result
}

/** Loads a server and accepts any answer. */
export const flood = (plan: LoadPlan): Promise<LoadResult> => runProgram('load-generator.ts', plan)

/** Makes a gateway execute runs. Rejects if the gateway refuses a message. */
export const loadRuns = (plan: RunLoadPlan): Promise<RunLoadResult> => runProgram('run-load.ts', plan)
