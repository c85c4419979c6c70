import { loadChecks } from '../cases/load-checks.ts'
import { type Check, defaultProfile, type Target } from '../check.ts'
import type { Scheduled } from '../runner/schedule.ts'
import { type Selection, selectChecks } from '../runner/selection.ts'
import type { SuiteOptions } from '../runner/suite-options.ts'
import type { System } from '../system.ts'

/** The checks of a target, and how its system is started. */
export interface Examination<Context> {
  readonly checks: readonly (Check<Context> & Scheduled)[]
  start(): Promise<System<Context>>
}

/** Brings a target's selected checks together with the system that the options name, and hands them on. */
export async function withExamination<Result>(
  options: SuiteOptions,
  use: <Context>(examination: Examination<Context>) => Result | Promise<Result>,
): Promise<Result> {
  const { config, concurrency, profile = 'core' } = options
  switch (options.target) {
    case 'server': {
      const [checks, { loadServer }, { createServerSystem }] = await Promise.all([
        loadChecks('server'),
        import('./server/load-server.ts'),
        import('./server/system.ts'),
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
        import('./client/load-client.ts'),
        import('./client/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startClientSystem(await loadClient(config, concurrency)),
      })
    }
    case 'receiver': {
      const [checks, { loadReceiver }, { startReceiverSystem }] = await Promise.all([
        loadChecks('receiver'),
        import('./receiver/load-receiver.ts'),
        import('./receiver/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startReceiverSystem(await loadReceiver(config, concurrency)),
      })
    }
    case 'worker': {
      const [checks, { loadWorker }, { startWorkerSystem }] = await Promise.all([
        loadChecks('worker'),
        import('./worker/load-worker.ts'),
        import('./worker/system.ts'),
      ])
      return use({
        checks: selectChecks(checks, options),
        start: async () => startWorkerSystem(await loadWorker(config, concurrency)),
      })
    }
  }
}

/** What is known of a target's selected checks, without any system. */
export async function listChecks(target: Target, selection: Selection): Promise<readonly Check<never>[]> {
  return withExamination<readonly Check<never>[]>(
    { profile: defaultProfile(target), ...selection, target, config: '' },
    (examination) => examination.checks,
  )
}
