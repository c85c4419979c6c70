import { inject } from 'vitest'
import { withExamination } from '../targets/targets.ts'
import { registerSuite } from './register-suite.ts'
import type { SuiteOptions } from './suite-options.ts'

declare module 'vitest' {
  interface ProvidedContext {
    conformance: SuiteOptions
  }
}

const options = inject('conformance')
await withExamination(options, ({ checks, start }) =>
  registerSuite({
    name: options.target,
    checks,
    start,
    baseline: options.baseline ?? [],
    keepTranscripts: options.keepTranscripts ?? false,
  }),
)
