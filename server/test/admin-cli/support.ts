import { runAdmin } from '../../src/admin-cli/run-admin.ts'

export interface AdminRun {
  readonly code: number
  /** What was printed as the answer. */
  readonly output: string
  /** What was said about it. */
  readonly said: string
}

export interface AdminSettings {
  readonly environment: Readonly<Record<string, string>>
  /** Characters in a line. Default: as many as there are. */
  readonly width?: number
}

/** Runs the command line in this process, as if its arguments had been typed after `admin`. */
export const runAdminCli = async (
  args: readonly string[],
  { environment, width = Infinity }: AdminSettings,
): Promise<AdminRun> => {
  let output = ''
  let said = ''
  const code = await runAdmin({
    args,
    environment,
    directory: '/nowhere',
    version: '1.2.3',
    terminal: {
      print: (text) => {
        output += text
      },
      complain: (text) => {
        said += text
      },
      width,
      paint: (_style, text) => text,
    },
  })
  return { code, output, said }
}
