import type { Row } from '../bench/support/ratios.ts'
import { ended, script } from '../test/support/client.ts'
import { during } from './attacker.ts'
import type { Effort } from './effort.ts'
import { compareReads } from './other-tenant.ts'
import type { Scene } from './scene.ts'
import { ENDPOINTS } from './scene.ts'

const CONNECTIONS = 2
/** Together, the messages have nearly the maximum size of an answer. */
const MESSAGES = 16
const MESSAGE_BYTES = 60_000

/**
 * The time of another tenant's read while two connections keep requesting a long answer, relative to its time alone.
 */
export const attackWithReads = async (scene: Scene, effort: Effort): Promise<Row> => {
  const long = await fillConversation(scene)
  const paths = [`/api/v1/conversations/${long}`, `/api/v1/conversations/${long}/messages?limit=100`]
  const attack = { method: 'GET' as const, connections: CONNECTIONS, paths, body: '' }
  const { ratio, answersByStatus } = await compareReads(scene, effort, (read) => during(scene, attack, read))
  return {
    name: `${scene.kind}: another tenant's read beside ${CONNECTIONS} connections that request long answers, p50, relative to its time alone`,
    ratio,
    bound: { atMost: 3 },
    detail: `answered ${JSON.stringify(answersByStatus)}`,
  }
}

const fillConversation = async (scene: Scene): Promise<string> => {
  const client = scene.attacker.client()
  const conversationId = await scene.attacker.createConversation(ENDPOINTS.attack)
  const text = 'a text '.repeat(MESSAGE_BYTES / 7)
  for (let n = 0; n < MESSAGES; n += 1) {
    const { status, body } = await client.send(conversationId, { ...script({ delta: 'done' }), text })
    if (status !== 202) throw new Error(`a long message was answered with ${status}`)
    await ended(client, body.run_id)
  }
  return conversationId
}
