/**
 * Workers of the SDK in a separate process: `node worker-process.ts '<WorkerPlan as JSON>'`. Their assistant is `echo`.
 * Prints `{}` at once; ends on SIGTERM.
 */
import { wordsOf } from '@conversation-gateway/openapi/behaviour/echo'
import { createWorker } from '@conversation-gateway/sdk/worker'

export interface WorkerPlan {
  readonly url: string
  readonly key: string
  readonly workers: number
  readonly slots: number
}

const plan: WorkerPlan = JSON.parse(process.argv[2] ?? '{}')
const ending = new AbortController()
process.on('SIGTERM', () => ending.abort())
const running = Array.from({ length: plan.workers }, (_, index) =>
  createWorker({
    url: plan.url,
    key: plan.key,
    slots: plan.slots,
    name: `bench-${index}`,
    drainMs: 0,
    assistants: async function* ({ input }) {
      for (const delta of wordsOf(input.text ?? '')) yield { delta }
    },
  }).run({ signal: ending.signal }),
)
console.log('{}')
await Promise.all(running)
process.exit(0)
