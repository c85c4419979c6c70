import { Client } from 'pg'
import type { Row } from '../bench/support/ratios.ts'
import { during } from './attacker.ts'
import type { Effort } from './effort.ts'
import { compareReads } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const SENDERS = 64

/** The time of another tenant's read while senders wait for the locked row of one conversation. */
export const attackLockedRow = async (scene: Scene, effort: Effort): Promise<Row> => {
  const locked = await scene.attacker.createConversation(ENDPOINTS.attack)
  const attack = {
    connections: SENDERS,
    paths: [`/api/v1/conversations/${locked}/messages`],
    body: JSON.stringify({ expected_generation: 1, input: { text: 'hello' } }),
  }
  const { ratio } = await compareReads(scene, effort, (read) =>
    whileLocked(scene, locked, () => during(scene, attack, read)),
  )
  return {
    name: `${scene.kind}: another tenant's read while ${SENDERS} senders wait for one locked row, p50, relative to its time alone`,
    ratio,
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
