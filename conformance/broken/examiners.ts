import { fileURLToPath } from 'node:url'
import { startReceiverKit } from '../adapters/receiver/start-receiver-kit.ts'
import { loadChecks } from '../src/checks/load-checks.ts'
import type { Target } from '../src/kit/check.ts'
import { startClientSystem } from '../src/kit/client/system.ts'
import type { ClientConfig } from '../src/kit/config/client-config.ts'
import type { WorkerConfig } from '../src/kit/config/worker-config.ts'
import { startReceiverSystem } from '../src/kit/receiver/system.ts'
import { createServerSystem } from '../src/kit/server/system.ts'
import { startWorkerSystem } from '../src/kit/worker/system.ts'
import { loadClient } from '../src/run/load-client.ts'
import { loadWorker } from '../src/run/load-worker.ts'
import { startReferenceGateway } from '../src/run/reference/index.ts'
import { examineMutant, type MutantVerdict } from './examine-mutant.ts'
import { type Mutant, mutantEnvironment } from './mutant.ts'

/** Examines a mutant of one target. */
export type ExamineMutant = (mutant: Mutant) => Promise<MutantVerdict>

interface Database {
  readonly url: string
  drop(): Promise<void>
}

/** How long a check waits for a faulty program. A correct program answers much sooner. */
const DEADLINES = { settleMs: 10_000, answerMs: 10_000 }

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url))
const PATCHED = ['--import', fileURLToPath(new URL('./patch-source.ts', import.meta.url))]

/**
 * Returns the function that examines the mutants of each target.
 * @param createDatabase Creates an empty database, for one start of a gateway.
 */
export const createExaminers = (createDatabase: () => Promise<Database>): Readonly<Record<Target, ExamineMutant>> => ({
  server: async (mutant) => {
    const made: Database[] = []
    try {
      return await examineMutant(mutant, await loadChecks('server'), async (profile) => {
        const database = await createDatabase()
        made.push(database)
        const config = await startReferenceGateway({
          gatewayDir: WORKSPACE,
          ...(mutant.database === 'embedded' ? {} : { databaseUrl: database.url }),
          nodeArguments: PATCHED,
          environment: mutantEnvironment(mutant),
          another: false,
        })
        return createServerSystem({ ...config, deadlines: DEADLINES }, { profile })
      })
    } finally {
      for (const database of made) await database.drop()
    }
  },
  client: async (mutant) =>
    examineMutant(mutant, await loadChecks('client'), async () =>
      startClientSystem(withFault(await loadClient('sdk'), mutant)),
    ),
  receiver: async (mutant) =>
    examineMutant(mutant, await loadChecks('receiver'), async () =>
      startReceiverSystem(await startReceiverKit({ nodeArguments: PATCHED, env: mutantEnvironment(mutant) })),
    ),
  worker: async (mutant) =>
    examineMutant(mutant, await loadChecks('worker'), async () =>
      startWorkerSystem(withFault(await loadWorker('sdk'), mutant)),
    ),
})

/** The configuration of a program in Node, which then has the fault of the mutant. */
const withFault = ({ command, env, ...config }: ClientConfig | WorkerConfig, mutant: Mutant) => {
  const [program, ...args] = command
  return {
    ...config,
    command: [program, ...PATCHED, ...args] as const,
    env: { ...env, ...mutantEnvironment(mutant) },
    deadlines: { stepMs: DEADLINES.settleMs },
  }
}
