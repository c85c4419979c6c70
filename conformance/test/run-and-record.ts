import { runCommand } from '../src/commands/run-command.ts'

/** Runs a command line, and returns its exit code and what it wrote to standard output and standard error. */
export const runAndRecord = async (...args: readonly string[]) => {
  const written = { out: '', err: '' }
  const code = await runCommand(args, {
    print: (text) => {
      written.out += text
    },
    log: (text) => {
      written.err += text
    },
  })
  return { code, ...written }
}
