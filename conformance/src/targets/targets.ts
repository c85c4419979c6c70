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
      const [{ serverChecks }, { loadServer }, { createServerSystem }] = await Promise.all([
        import('../cases/server/index.ts'),
        import('./server/load-server.ts'),
        import('./server/system.ts'),
      ])
      return use({
        checks: selectChecks(serverChecks, options),
        start: async () =>
          createServerSystem(await loadServer(config), {
            profile,
            ...(concurrency === undefined ? {} : { concurrency }),
          }),
      })
    }
    case 'client': {
      const [{ clientChecks }, { loadClient }, { startClientSystem }] = await Promise.all([
        import('../cases/client/index.ts'),
        import('./client/load-client.ts'),
        import('./client/system.ts'),
      ])
      return use({
        checks: selectChecks(clientChecks, options),
        start: async () => startClientSystem(await loadClient(config, concurrency)),
      })
    }
    case 'receiver': {
      const [{ receiverChecks }, { loadReceiver }, { startReceiverSystem }] = await Promise.all([
        import('../cases/receiver/index.ts'),
        import('./receiver/load-receiver.ts'),
        import('./receiver/system.ts'),
      ])
      return use({
        checks: selectChecks(receiverChecks, options),
        start: async () => startReceiverSystem(await loadReceiver(config, concurrency)),
      })
    }
    case 'worker': {
      const [{ workerChecks }, { loadWorker }, { startWorkerSystem }] = await Promise.all([
        import('../cases/worker/index.ts'),
        import('./worker/load-worker.ts'),
        import('./worker/system.ts'),
      ])
      return use({
        checks: selectChecks(workerChecks, options),
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
