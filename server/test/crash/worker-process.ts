/**
 * A worker of the SDK as a process of its own, that is killed: `node worker-process.ts '<WorkerPlan as JSON>'`. Its assistant says
 * the input again, word by word, and notes each execution before it says anything.
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
  // Runs that are lost or refused by a gateway that was killed are what is tried here.
  log: { info: () => {}, warn: () => {}, error: () => {} },
  assistants: async function* ({ runId, input }) {
    appendFileSync(plan.executions, `${runId}\n`)
    for (const [delta] of (input.text ?? '').matchAll(/\S+\s*/g)) {
      yield { delta }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
    }
  },
}).run()
