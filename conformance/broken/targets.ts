import { fileURLToPath } from 'node:url'
import { startReceiverKit } from '../adapters/receiver/start-receiver-kit.ts'
import { loadChecks } from '../src/checks/load-checks.ts'
import type { Target } from '../src/kit/check.ts'
import { startClientSystem } from '../src/kit/client/system.ts'
import { startReceiverSystem } from '../src/kit/receiver/system.ts'
import { createServerSystem } from '../src/kit/server/system.ts'
import { startWorkerSystem } from '../src/kit/worker/system.ts'
import { loadClient } from '../src/run/load-client.ts'
import { loadWorker } from '../src/run/load-worker.ts'
import { startReferenceGateway } from '../src/run/reference/index.ts'
import { clientMutants } from './client/index.ts'
import { examineMutant, type MutantVerdict } from './examine-mutant.ts'
import { type Mutant, mutantEnvironment } from './mutant.ts'
import { receiverMutants } from './receiver/index.ts'
import { serverMutants } from './server/index.ts'
import { workerMutants } from './worker/index.ts'

/** The mutants of a target, and the function that examines one of them. */
export interface MutantTarget {
  readonly mutants: readonly Mutant[]
  examine(mutant: Mutant): Promise<MutantVerdict>
}

export interface MutantDatabases {
  /** Creates an empty database, for one start of a mutant. */
  create(): Promise<{ readonly url: string; drop(): Promise<void> }>
}

/** How long a check waits for a faulty program. A correct program answers much sooner. */
const DEADLINES = { settleMs: 10_000, answerMs: 10_000 }

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url))
const PATCHED = ['--import', fileURLToPath(new URL('./patch-source.ts', import.meta.url))]

export const createMutantTargets = (databases: MutantDatabases): Readonly<Record<Target, MutantTarget>> => ({
  server: {
    mutants: serverMutants,
    examine: async (mutant) => {
      const made: Awaited<ReturnType<MutantDatabases['create']>>[] = []
      try {
        return await examineMutant(mutant, await loadChecks('server'), async (profile) => {
          const database = await databases.create()
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
  },
  client: {
    mutants: clientMutants,
    examine: async (mutant) =>
      examineMutant(mutant, await loadChecks('client'), async () => {
        const { command, ...config } = await loadClient('sdk')
        const [program, ...args] = command
        return startClientSystem({
          ...config,
          command: [program, ...PATCHED, ...args],
          env: { ...config.env, ...mutantEnvironment(mutant) },
          deadlines: { stepMs: DEADLINES.settleMs },
        })
      }),
  },
  receiver: {
    mutants: receiverMutants,
    examine: async (mutant) =>
      examineMutant(mutant, await loadChecks('receiver'), async () =>
        startReceiverSystem(await startReceiverKit({ nodeArguments: PATCHED, env: mutantEnvironment(mutant) })),
      ),
  },
  worker: {
    mutants: workerMutants,
    examine: async (mutant) =>
      examineMutant(mutant, await loadChecks('worker'), async () => {
        const { command, ...config } = await loadWorker('sdk')
        const [program, ...args] = command
        return startWorkerSystem({
          ...config,
          command: [program, ...PATCHED, ...args],
          env: { ...config.env, ...mutantEnvironment(mutant) },
          deadlines: { stepMs: DEADLINES.settleMs },
        })
      }),
  },
})
