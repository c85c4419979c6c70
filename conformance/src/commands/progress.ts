import type { Writable } from 'node:stream'
import type { SuiteOptions } from '../run/suite-options.ts'

const STEP = 25

/** Tells how far a run is: on one line of a terminal, elsewhere every now and then. */
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
