import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs the CLI of Redocly; returns whether it succeeded, and its output. */
export const runRedocly = (...parameters: string[]): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...QUIET }
    execFile(process.execPath, [PROGRAM, ...parameters], { env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    )
  })
