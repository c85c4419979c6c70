import type { Writable } from 'node:stream'
import type { SuiteOptions } from '../run/suite-options.ts'

const STEP = 25

/** Reports the progress of a run: on one line of a terminal, otherwise as an occasional line. */
export function createProgress(
  terminal: Writable & { readonly isTTY?: boolean } = process.stderr,
): NonNullable<SuiteOptions['onProgress']> {
  const isTerminal = terminal.isTTY === true
  return ({ done, failed, total }) => {
    const line = `${done} of ${total} checks, ${failed} failed`
    if (!isTerminal) {
      if (done % STEP === 0 || done === total) terminal.write(`${line}\n`)
    } else terminal.write(done === total ? '\r\x1b[K' : `\r\x1b[K${line}`)
  }
}
