import { spawn } from 'node:child_process'
import type { ClientConfig } from '../config/client-config.ts'
import { endWithSuite } from '../end-with-suite.ts'
import { parseJson } from '../parse-json.ts'
import { createChanges } from './changes.ts'
import { type CommandError, isObject, type JsonObject, toCommandError } from './commands.ts'
import { readLines, toLine } from './lines.ts'

/** The content of an adapter's first line. */
export interface Hello {
  readonly name: string
  readonly abilities: readonly string[]
}

/** A running command. */
export interface Execution {
  /** Rejects with a `CommandError`, or when the adapter violates the protocol or exceeds the deadline. */
  readonly result: Promise<JsonObject>
  /** The items that it has sent so far. */
  readonly items: readonly JsonObject[]
  /**
   * Resolves with the first value that `find` returns, now or after further items. Rejects when the command ends first,
   * or after the deadline of a step.
   */
  until<Value>(what: string, find: (items: readonly JsonObject[]) => Value | undefined): Promise<Value>
  /** Asks the client to stop this command, and resolves when it has ended with a result or an error. */
  stop(): Promise<void>
}

/** A running adapter. */
export interface AdapterProcess {
  readonly hello: Hello
  /** Whether it is running without a pending command. */
  isIdle(): boolean
  execute(command: string, args: JsonObject): Execution
  /** Sets the listener for its further lines, such as a transcript. */
  onLine(listener: (direction: 'to' | 'from', line: string) => void): void
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
}

interface Pending {
  readonly command: string
  readonly items: JsonObject[]
  ended: { readonly result: JsonObject } | { readonly error: CommandError } | null
}

const MAX_STDERR_CHARACTERS = 2000

/** Starts an adapter and waits for its hello. */
export const startAdapter = async (config: ClientConfig): Promise<AdapterProcess> => {
  const { startMs = 30_000, stepMs = 30_000 } = config.deadlines ?? {}
  const [program, ...args] = config.command
  const child = spawn(program, args, { cwd: config.cwd, env: { ...process.env, ...config.env }, stdio: 'pipe' })
  endWithSuite(child)
  const changes = createChanges()
  const pending = new Map<number, Pending>()
  let hello: Hello | undefined
  let lastId = 0
  let isRunning = true
  let stderrTail = ''
  let onLine = (_direction: 'to' | 'from', _line: string): void => {}

  const fail = (message: string): void => {
    isRunning = false
    changes.fail(new Error(stderrTail ? `${message} Standard error: ${stderrTail.trim()}` : message))
    child.kill('SIGKILL')
  }
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      fail(`The adapter ${program} could not be started: ${error.message}`)
      resolve()
    })
    child.once('close', (code, signal) => {
      fail(`The adapter exited unexpectedly (${signal ?? `exit code ${code}`}).`)
      resolve()
    })
  })
  // A broken pipe means that the process died, which its exit event reports.
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-MAX_STDERR_CHARACTERS)
  })
  readLines(child.stdout, (line) => {
    onLine('from', line)
    const message = parseJson(line)
    if (!isObject(message)) return fail(`The adapter wrote a line that is not a JSON object: ${line.slice(0, 200)}.`)
    if (hello === undefined) {
      hello = parseHello(message)
      if (hello === undefined) return fail(`The adapter's first line must be its hello, not ${line.slice(0, 200)}.`)
      return changes.notify()
    }
    const entry = typeof message.id === 'number' ? pending.get(message.id) : undefined
    if (entry === undefined || entry.ended !== null)
      return fail(`The adapter answered an unknown command, or a command twice: ${line.slice(0, 200)}.`)
    if (isObject(message.item)) entry.items.push(message.item)
    else if ('error' in message) entry.ended = { error: toCommandError(entry.command, message.error) }
    else if (isObject(message.result)) entry.ended = { result: message.result }
    else return fail(`The adapter wrote a line without item, result or error: ${line.slice(0, 200)}.`)
    changes.notify()
  })

  const write = (message: JsonObject): void => {
    const line = toLine(message)
    onLine('to', line)
    child.stdin.write(`${line}\n`)
  }
  const kill = async (): Promise<void> => {
    isRunning = false
    child.kill('SIGKILL')
    await exited
  }
  const execute = (command: string, args: JsonObject): Execution => {
    const id = ++lastId
    const entry: Pending = { command, items: [], ended: null }
    pending.set(id, entry)
    write({ id, do: command, with: args })
    const ended = () => entry.ended ?? undefined
    const resultOf = async (): Promise<JsonObject> => {
      const end = await changes.until(ended, stepMs, () => `The client must end the command ${command}, but did not`)
      if ('error' in end) throw end.error
      return end.result
    }
    return {
      // The deadline starts when `result` is read: a command whose result is never read has no deadline.
      get result() {
        const result = resultOf()
        // A check that fails before the command ends does not await the result; the rejection must not be unhandled.
        result.catch(() => {})
        return result
      },
      items: entry.items,
      until: (what, find) =>
        changes.until(
          () => {
            const value = find(entry.items)
            if (value !== undefined || entry.ended === null) return value
            throw new Error(`${what}, but ${command} ended: ${JSON.stringify(describeEnd(entry.ended))}`)
          },
          stepMs,
          () => `${what}; ${command} has sent ${describeItems(entry.items)}`,
        ),
      stop: async () => {
        if (entry.ended === null) write({ id: ++lastId, do: 'stop', with: { id } })
        await changes.until(ended, stepMs, () => `After stop, the client must end the command ${command}, but did not`)
      },
    }
  }

  try {
    const received = await changes.until(
      () => hello,
      startMs,
      () => 'The adapter must write its hello, but did not',
    )
    return {
      hello: received,
      isIdle: () => isRunning && [...pending.values()].every(({ ended }) => ended !== null),
      execute,
      onLine: (listener) => {
        onLine = listener
      },
      kill,
    }
  } catch (error) {
    await kill()
    throw error
  }
}

const describeEnd = (end: NonNullable<Pending['ended']>): unknown => ('error' in end ? end.error.details : end.result)

const describeItems = (items: readonly JsonObject[]): string =>
  `${items.length} items${items.length ? `, most recently ${JSON.stringify(items.slice(-3)).slice(0, 1_000)}` : ''}`

const parseHello = ({ hello }: JsonObject): Hello | undefined => {
  if (!isObject(hello) || hello.protocol !== 1 || typeof hello.name !== 'string') return undefined
  const { name, abilities } = hello
  return Array.isArray(abilities) && abilities.every(isText) ? { name, abilities } : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
