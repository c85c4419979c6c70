import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs a program and resolves with its standard output. If it fails, rejects with all of its output. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): Promise<string> => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [output, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return output
  throw new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${output}${complaints}`.trimEnd())
}
