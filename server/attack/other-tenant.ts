import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../bench/support/ratios.ts'
import type { AttackResult } from './attacker-process.ts'
import type { Effort } from './effort.ts'
import type { Scene, Tenant } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

/** The pause between two requests of the other tenant, which sends few requests. */
const PAUSE_MS = 10
/** The duration that is recorded for an unfinished run or a refused read. */
export const GIVE_UP_MS = 20_000

/** Reads a conversation's snapshot for a while, one read at a time. Returns the durations in milliseconds. */
const timeReads = async (tenant: Tenant, conversationId: string, measureMs: number): Promise<number[]> => {
  const client = tenant.client()
  const durations: number[] = []
  for (const end = performance.now() + measureMs; performance.now() < end; ) {
    const start = performance.now()
    const { status } = await client.snapshot(conversationId)
    durations.push(status === 200 ? performance.now() - start : GIVE_UP_MS)
    await sleep(PAUSE_MS)
  }
  return durations
}

interface TimedReads {
  readonly durations: readonly number[]
}

/**
 * The time of another tenant's read during an attack, relative to its time alone, and the answers to the attacker in the
 * last round. `attackDuring` attacks until `work` ends.
 */
export const compareReads = async (
  { otherTenant }: Scene,
  { rounds, measureMs }: Effort,
  attackDuring: (work: () => Promise<TimedReads>) => Promise<TimedReads & AttackResult>,
): Promise<AttackResult & { readonly ratio: number }> => {
  const conversationId = await otherTenant.createConversation(ENDPOINTS.own)
  const read = async (): Promise<TimedReads> => ({ durations: await timeReads(otherTenant, conversationId, measureMs) })
  const ratios: number[] = []
  let answersByStatus: AttackResult['answersByStatus'] = {}
  for (let round = 0; round < rounds; round += 1) {
    const alone = await read()
    const beside = await attackDuring(read)
    ratios.push(median(beside.durations) / median(alone.durations))
    answersByStatus = beside.answersByStatus
  }
  return { ratio: median(ratios), answersByStatus }
}

/**
 * Sends messages one after the other, and waits for the end of each run on a stream. Stops after a run that does not
 * complete in time. Returns the durations in milliseconds.
 */
export const timeRuns = async (tenant: Tenant, endpointId: string, count: number): Promise<number[]> => {
  const client = tenant.client()
  const conversationId = await tenant.createConversation(endpointId)
  const stream = await client.events(conversationId)
  if (stream.status !== 200) throw new Error(`the other tenant's stream was answered with ${stream.status}`)
  const durations: number[] = []
  for (let n = 0; n < count; n += 1) {
    const start = performance.now()
    const sent = await client.send(conversationId, { text: 'one two three four five six seven eight nine' })
    if (sent.status !== 202) throw new Error(`the other tenant's message was answered with ${sent.status}`)
    const runId = sent.body.run_id
    const ended = await stream
      .until((events) => events.some((event) => event.type === 'run.completed' && event.run_id === runId), GIVE_UP_MS)
      .then(
        () => true,
        () => false,
      )
    durations.push(ended ? performance.now() - start : GIVE_UP_MS)
    if (!ended) break
    await sleep(PAUSE_MS)
  }
  stream.close()
  return durations
}
