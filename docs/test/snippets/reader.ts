import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

export interface ReaderOptions {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Commands that the shell knows before the first block. */
  readonly prelude: string
}

/** A reader who pastes the snippets of a text into one shell, further terminals, and files that Node runs. */
export interface Reader {
  /**
   * Runs commands in the shell, which keeps its variables and functions. Resolves with the output, rejects on failure.
   */
  paste(commands: string): Promise<string>
  /** Runs commands in a separate terminal; resolves with their first output. */
  openTerminal(commands: string): Promise<string>
  /** Runs a program to its end. Resolves with its output, rejects when it fails or writes to standard error. */
  runProgram(file: string): Promise<string>
  /** Ends everything that still runs. */
  leave(): Promise<void>
}

/** `-e` makes the shell stop at a failing command, as a reader would. */
const BASH = ['-eu', '-o', 'pipefail']
const END = 'end-of-block'

export const createReader = ({ folder, env, prelude }: ReaderOptions): Reader => {
  const children: ChildProcess[] = []
  const start = (command: string, args: readonly string[]) => {
    // A separate process group, so that the processes that it starts end with it.
    const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    children.push(child)
    return child
  }
  const shell = start('bash', BASH)
  const said = collect(shell)
  // Its background processes may continue, and keep its output open.
  const shellEnded = once(shell, 'exit').then(() => new Promise((resolve) => setImmediate(resolve)))
  const paste = async (commands: string): Promise<string> => {
    // In braces the block is read as a whole, so that a command that reads its input does not consume the next one.
    shell.stdin.write(`{\n${commands}\n} </dev/null\necho ${END}\n`)
    await Promise.race([said.until(`${END}\n`), shellEnded])
    const { output, errors } = said.take()
    if (!output.endsWith(`${END}\n`)) throw new Error(`the shell ended:\n${output}${errors}`)
    return output.slice(0, -END.length - 1)
  }
  const ready = paste(prelude)

  return {
    paste: async (commands) => {
      await ready
      return paste(commands)
    },
    openTerminal: async (commands) => {
      const terminal = start('bash', [...BASH, '-c', `${prelude}\n${commands}`])
      const heard = collect(terminal)
      await Promise.race([heard.until('\n'), once(terminal, 'close')])
      const { output, errors } = heard.take()
      if (!output.includes('\n')) throw new Error(`the terminal ended:\n${output}${errors}`)
      return output
    },
    runProgram: async (file) => {
      const child = start(process.execPath, [file])
      child.stdin.end()
      const heard = collect(child)
      const [code] = await once(child, 'close')
      const { output, errors } = heard.take()
      if (code !== 0 || errors !== '') throw new Error(`it ended with ${code}:\n${output}${errors}`)
      return output
    },
    leave: async () => {
      await Promise.all(children.map(endGroup))
    },
  }
}

const collect = (child: ChildProcessByStdio<Writable, Readable, Readable>) => {
  let output = ''
  let errors = ''
  let check = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    check()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return {
    until: (text: string): Promise<void> =>
      new Promise((resolve) => {
        check = () => {
          if (output.endsWith(text)) resolve()
        }
        check()
      }),
    take: () => {
      const taken = { output, errors }
      output = ''
      errors = ''
      return taken
    },
  }
}

const endGroup = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined) return
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    // All processes of the group have ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  await ended
}
