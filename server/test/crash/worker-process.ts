/**
 * A worker of the SDK in a separate process, which tests kill: `node worker-process.ts '<WorkerPlan as JSON>'`. Its
 * assistant repeats the input word by word. It records each execution before its first word.
 */
import { appendFileSync } from 'node:fs'
import { createWorker } from '@conversation-gateway/sdk/worker'

export interface WorkerPlan {
  readonly url: string
  readonly key: string
  /** The file that gets a line with the run's ID for each execution. */
  readonly executions: string
}

const plan: WorkerPlan = JSON.parse(process.argv[2] ?? '{}')
await createWorker({
  url: plan.url,
  key: plan.key,
  name: 'crash',
  // Kills of the gateway cause warnings about lost and refused runs, which are expected.
  log: { info: () => {}, warn: () => {}, error: () => {} },
  assistants: async function* ({ runId, input }) {
    appendFileSync(plan.executions, `${runId}\n`)
    for (const [delta] of (input.text ?? '').matchAll(/\S+\s*/g)) {
      yield { delta }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
    }
  },
}).run()
