import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Row } from '../bench/support/ratios.ts'
import { percentile } from '../bench/support/ratios.ts'
import type { Effort } from './effort.ts'
import { createFuzzer, createRandom } from './fuzz-bodies.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const SEED = 20_261_122
const PROGRESS_EVERY = 10_000
const NANOSECONDS_PER_MS = 1e6

/** The CPU time that a process's main thread has used so far, in milliseconds, from Linux. */
const threadMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / NANOSECONDS_PER_MS

/** The CPU time of the gateway's event loop for one request. Sends requests with random bodies, one after the other. */
export const measureRequestCost = async (
  scene: Scene,
  effort: Effort,
  onProgress: (line: string) => void,
): Promise<{ readonly row: Row; readonly answersByStatus: Readonly<Record<string, number>> }> => {
  const conversationId = await scene.attacker.createConversation(ENDPOINTS.attack)
  const nextBody = createFuzzer(createRandom(SEED), [
    `/api/v1/conversations/${conversationId}/messages`,
    '/api/v1/conversations',
    `/api/v1/conversations/${conversationId}/reset`,
    `/api/v1/agent-endpoints/${ENDPOINTS.attack}/runs`,
  ])
  const client = scene.attacker.client()
  const { pid } = scene.gateway()
  const costs: number[] = []
  const answersByStatus: Record<string, number> = {}
  let worst = { ms: 0, path: '', beginning: '', bytes: 0 }
  for (let n = 0; n < effort.bodies; n += 1) {
    if (n % PROGRESS_EVERY === 0) onProgress(`${scene.kind}: body ${n} of ${effort.bodies}`)
    const { path, body } = nextBody()
    const before = threadMs(pid)
    const { status } = await client.request('POST', path, {
      rawBody: body,
      idempotencyKey: randomUUID(),
      headers: { 'content-type': 'application/json' },
    })
    const ms = threadMs(pid) - before
    costs.push(ms)
    answersByStatus[status] = (answersByStatus[status] ?? 0) + 1
    if (ms > worst.ms) worst = { ms, path, beginning: body.slice(0, 60), bytes: body.length }
  }
  return {
    answersByStatus,
    row: {
      name: `${scene.kind}: CPU time of one request with a random body, p99.9 in ms`,
      ratio: percentile(costs, 0.999),
      bound: { atMost: 25 },
      detail: `seed ${SEED}, ${effort.bodies} bodies answered ${JSON.stringify(answersByStatus)}; worst ${worst.ms.toFixed(1)} ms: ${worst.bytes} B to ${worst.path}, ${worst.beginning}`,
    },
  }
}
