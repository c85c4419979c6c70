import type { Outbox } from '../../src/index.ts'
import { memoryOutbox } from '../../src/outbox/index.ts'
import { countAdmissions, type FaultMatrix, type Intended } from './matrix.ts'
import { underFault } from './run-sends.ts'
import type { SendCase } from './send-cases.ts'
import type { World } from './world.ts'

/** How many turns of the event loop to wait: an entry is deleted soon after its outcome was received. */
const MOST_TURNS = 100

const countLeft = async (outbox: Outbox, { proxy, timing }: World): Promise<number> => {
  let count = 0
  for await (const _leftover of outbox.leftovers(proxy.origin, timing)) count += 1
  return count
}

/**
 * Leaves messages of unknown outcome in an outbox; the gateway has admitted every second one. Lets `recover` finish
 * them under the fault, and counts the messages at the gateway.
 */
export const runRecovery = async (
  world: World,
  matrix: FaultMatrix,
  sendCase: SendCase,
  cases: number,
): Promise<void> => {
  const { proxy, plain } = world
  const outbox = memoryOutbox()
  const client = world.clientWith(outbox)
  const conversationId = await world.createConversation()
  const intended = new Map<string, Intended>()
  for (let number = 0; number < cases; number += 1) {
    const text = `recovered, ${sendCase.fault}, number ${number}: é 漢 𝄞`
    const reachesTarget = number % 2 === 0
    proxy.inject({
      method: 'POST',
      fault: { kind: 'answer', status: 503, headers: { 'retry-after': '100000' }, reachesTarget },
    })
    const outcome = await client.messages
      .send(conversationId, { expected_generation: 1, input: { text } }, { tag: text })
      .outcome()
    if (outcome.kind !== 'unknown') throw new Error(`the outcome is ${outcome.kind} instead of unknown`)
    intended.set(text, { text, messageId: null })
  }
  const recover = async (): Promise<void> => {
    for await (const recovery of client.recover()) {
      if (recovery.kind !== 'admitted' || !('message_id' in recovery.data))
        throw new Error(`an entry is ${recovery.kind} instead of an admitted message`)
      const text = recovery.handle.tag ?? ''
      intended.set(text, { text, messageId: recovery.data.message_id })
    }
  }
  await underFault(world, sendCase, recover, { calls: cases })
  for (let turn = 0; (await countLeft(outbox, world)) > 0; turn += 1) {
    if (turn > MOST_TURNS) throw new Error('the outbox still has an entry whose outcome was received')
    await new Promise((resolve) => setTimeout(resolve))
  }
  const counts = countAdmissions([...intended.values()], await plain.messages(conversationId))
  matrix.add(`recover: ${sendCase.fault}`, { cases, ...counts })
}
