import { runAdmin } from '../../src/admin-cli/run-admin.ts'

export interface AdminRun {
  readonly code: number
  /** Standard output. */
  readonly output: string
  /** Standard error. */
  readonly errorOutput: string
}

export interface AdminSettings {
  readonly environment: Readonly<Record<string, string>>
  /** The width of the terminal in characters. Default: unlimited. */
  readonly width?: number
}

/** Runs the command line in this process with the arguments that follow `admin`. */
export const runAdminCli = async (
  args: readonly string[],
  { environment, width = Infinity }: AdminSettings,
): Promise<AdminRun> => {
  let output = ''
  let errorOutput = ''
  const code = await runAdmin({
    args,
    environment,
    directory: '/nowhere',
    terminal: {
      print: (text) => {
        output += text
      },
      printError: (text) => {
        errorOutput += text
      },
      width,
      paint: (_style, text) => text,
    },
  })
  return { code, output, errorOutput }
}
