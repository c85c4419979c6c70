import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../bench/support/ratios.ts'
import { eventually, script } from '../test/support/client.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const STREAMS_OF_A_SUBJECT = 4
const POLL_MS = 50
const SECOND_MS = 1000

/** Seconds from the kill of a process until a subject that had opened all its streams can open them again. */
export const timeStreamsAfterRestart = async (scene: Scene): Promise<Row> => {
  const conversationId = await scene.otherTenant.createConversation(ENDPOINTS.own)
  const open = () => scene.otherTenant.client().events(conversationId)
  for (let n = 0; n < STREAMS_OF_A_SUBJECT; n += 1) {
    const { status } = await open()
    if (status !== 200) throw new Error(`a stream was answered with ${status}`)
  }
  const start = performance.now()
  await scene.restart()
  const streams: Awaited<ReturnType<typeof open>>[] = []
  while (streams.length < STREAMS_OF_A_SUBJECT) {
    const stream = await open()
    if (stream.status === 200) streams.push(stream)
    else await sleep(POLL_MS)
  }
  const seconds = (performance.now() - start) / SECOND_MS
  for (const stream of streams) stream.close()
  return {
    name: `${scene.kind}: from the kill of a process until a subject can open all its streams again, in s`,
    ratio: seconds,
    bound: { atMost: 5 },
    detail: `${STREAMS_OF_A_SUBJECT} streams, the start of the process included`,
  }
}

/**
 * Seconds from the kill of the only process, which executes a run, until the next message of the same conversation
 * starts.
 * @param boundSeconds The time for the lease and the start; on PostgreSQL plus the reconciliation time (D-19).
 */
export const timeNextMessageAfterRestart = async (scene: Scene, boundSeconds: number): Promise<Row> => {
  const conversationId = await scene.attacker.createConversation(ENDPOINTS.attack)
  const client = () => scene.attacker.client()
  const executing = await client().send(conversationId, script({ delta: 'begun' }, { hang: true }))
  await eventually(
    () => client().run(executing.body.run_id),
    ({ body }) => body.state === 'running',
  )
  const start = performance.now()
  await scene.restart()
  const next = await client().send(conversationId, script({ delta: 'next' }))
  await eventually(
    () => client().run(next.body.run_id),
    ({ body }) => body.state !== 'queued',
    10 * boundSeconds * SECOND_MS,
  )
  return {
    name: `${scene.kind}: from the kill of the only process until a blocked conversation's next message starts, in s`,
    ratio: (performance.now() - start) / SECOND_MS,
    bound: { atMost: boundSeconds },
    detail: 'the start of the process included',
  }
}
