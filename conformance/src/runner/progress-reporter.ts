import type { Writable } from 'node:stream'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { CheckRun } from './run-check.ts'

const STEP = 25

/** Collects the runs of a suite under vitest, and tells how far it is. */
export class ProgressReporter implements Reporter {
  readonly runs: CheckRun[] = []
  /** What went wrong outside of the checks: a system that does not start, a file that cannot be loaded. */
  readonly errors: string[] = []
  readonly #total: number
  readonly #terminal: Writable & { readonly isTTY?: boolean }
  #failed = 0

  constructor(total: number, terminal: Writable & { readonly isTTY?: boolean }) {
    this.#total = total
    this.#terminal = terminal
  }

  onTestCaseResult(test: TestCase): void {
    const run = test.meta().conformance
    if (run === undefined) return
    this.runs.push(run)
    if (test.result().state === 'failed') this.#failed += 1
    this.#tell()
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    if (this.#terminal.isTTY === true) this.#terminal.write('\r\x1b[K')
    for (const module of modules) {
      for (const error of module.errors()) this.errors.push(error.message)
      for (const suite of module.children.allSuites())
        for (const error of suite.errors()) this.errors.push(error.message)
    }
    for (const { message } of unhandled) this.errors.push(message)
  }

  #tell(): void {
    const done = this.runs.length
    const line = `${done} of ${this.#total} checks, ${this.#failed} failed`
    if (this.#terminal.isTTY === true) this.#terminal.write(`\r\x1b[K${line}`)
    else if (done % STEP === 0 || done === this.#total) this.#terminal.write(`${line}\n`)
  }
}
