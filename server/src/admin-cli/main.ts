import { cleanEnvironment } from '../app/settings/environment.ts'
import { runAdmin } from './run-admin.ts'
import { createTerminal } from './terminal.ts'

/** Runs the operator's command line in this process, and gives its exit code. */
export const runAdminCommand = (args: string[]): Promise<number> =>
  runAdmin({
    args,
    environment: cleanEnvironment(process.env).environment,
    terminal: createTerminal(process),
    directory: process.cwd(),
  })
