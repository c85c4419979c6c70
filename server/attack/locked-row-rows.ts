import { Client } from 'pg'
import type { Row } from '../bench/support/ratios.ts'
import { median } from '../bench/support/ratios.ts'
import { during } from './attacker.ts'
import type { Effort } from './effort.ts'
import { timeReads } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const SENDERS = 64

/** The time of another tenant's read while senders wait for the locked row of one conversation. */
export const attackLockedRow = async (scene: Scene, effort: Effort): Promise<Row> => {
  const locked = await scene.attacker.createConversation(ENDPOINTS.attack)
  const read = await scene.otherTenant.createConversation(ENDPOINTS.own)
  const ratios: number[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const alone = median(await timeReads(scene.otherTenant, read, effort.measureMs))
    const beside = await whileLocked(scene, locked, () =>
      during(
        scene,
        {
          connections: SENDERS,
          paths: [`/api/v1/conversations/${locked}/messages`],
          body: JSON.stringify({ expected_generation: 1, input: { text: 'hello' } }),
        },
        async () => ({ durations: await timeReads(scene.otherTenant, read, effort.measureMs) }),
      ),
    )
    ratios.push(median(beside.durations) / alone)
  }
  return {
    name: `${scene.kind}: another tenant's read while ${SENDERS} senders wait for one locked row, p50, relative to its time alone`,
    ratio: median(ratios),
    bound: { atMost: 2 },
    detail: `the row is locked for ${effort.measureMs} ms`,
  }
}

const whileLocked = async <Result>(
  scene: Scene,
  conversationId: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (scene.databaseUrl === null) throw new Error('no other process can lock rows of the embedded database')
  const session = new Client(scene.databaseUrl)
  await session.connect()
  try {
    await session.query('begin')
    await session.query('select 1 from conversations where conversation_id = $1 for update', [conversationId])
    return await work()
  } finally {
    await session.end()
  }
}
