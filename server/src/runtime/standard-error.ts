import { setTimeout } from 'node:timers/promises'
import { createTextOutput } from './text-output.ts'

/** Longest wait for the last lines to be written. */
const FLUSH_MS = 300

/** Where the log (D-49) and messages for the operator go. */
export const standardError = createTextOutput(process.stderr)

/** Ends the process after its last lines are written, or without them after a timeout. */
export const exit = async (code: number): Promise<never> => {
  await Promise.race([standardError.flushed(), setTimeout(FLUSH_MS)])
  process.exit(code)
}
