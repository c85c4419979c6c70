import { loadChecks } from '../checks/load-checks.ts'
import { type Check, defaultProfile, type Target } from '../kit/check.ts'
import type { System } from '../kit/system.ts'
import type { Scheduled } from './schedule.ts'
import { type Selection, selectChecks } from './selection.ts'
import type { SuiteOptions } from './suite-options.ts'

/** The checks of a target, and the function that starts its system. */
export interface Examination<Context> {
  readonly checks: readonly (Check<Context> & Scheduled)[]
  start(): Promise<System<Context>>
}

/** Calls back with a target's selected checks and with the function that starts its system. */
export async function withExamination<Result>(
  options: SuiteOptions,
  use: <Context>(examination: Examination<Context>) => Result | Promise<Result>,
): Promise<Result> {
  const { config, concurrency, profile = 'core' } = options
  switch (options.target) {
    case 'server': {
      const [checks, { loadServer }, { createServerSystem }] = await Promise.all([
        loadChecks('server'),
        import('./load-server.ts'),
        import('../kit/server/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () =>
          createServerSystem(await loadServer(config), {
            profile,
            ...(concurrency === undefined ? {} : { concurrency }),
          }),
      })
    }
    case 'client': {
      const [checks, { loadClient }, { startClientSystem }] = await Promise.all([
        loadChecks('client'),
        import('./load-client.ts'),
        import('../kit/client/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startClientSystem(await loadClient(config, concurrency)),
      })
    }
    case 'receiver': {
      const [checks, { loadReceiver }, { startReceiverSystem }] = await Promise.all([
        loadChecks('receiver'),
        import('./load-receiver.ts'),
        import('../kit/receiver/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startReceiverSystem(await loadReceiver(config, concurrency)),
      })
    }
    case 'worker': {
      const [checks, { loadWorker }, { startWorkerSystem }] = await Promise.all([
        loadChecks('worker'),
        import('./load-worker.ts'),
        import('../kit/worker/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startWorkerSystem(await loadWorker(config, concurrency)),
      })
    }
  }
}

/** Describes a target's selected checks without starting a system. */
export async function listChecks(target: Target, selection: Selection): Promise<readonly Check<never>[]> {
  return withExamination<readonly Check<never>[]>(
    { profile: defaultProfile(target), ...selection, target, config: '' },
    (examination) => examination.checks,
  )
}
