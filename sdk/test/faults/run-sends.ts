import { ENDPOINTS } from '../support/gateway-process.ts'
import { countAdmissions, type FaultMatrix, type Intended } from './matrix.ts'
import type { SendCase } from './send-cases.ts'
import { assertUnnoticed } from './unnoticed.ts'
import { passingSilences, type World } from './world.ts'

/** Sends one message after the other, each under the fault, and counts them at the gateway. */
export const runSends = async (world: World, matrix: FaultMatrix, sendCase: SendCase, cases: number): Promise<void> => {
  const { client, plain } = world
  const conversationId = await world.createConversation()
  const intentions: Intended[] = []
  for (let number = 0; number < cases; number += 1) {
    const text = `${sendCase.fault}, number ${number}: é 漢 𝄞`
    const outcome = await underFault(world, sendCase, () =>
      client.messages.send(conversationId, { expected_generation: 1, input: { text } }).outcome(),
    )
    intentions.push({ text, messageId: outcome.kind === 'admitted' ? outcome.data.message_id : null })
  }
  matrix.add(`send: ${sendCase.fault}`, { cases, ...countAdmissions(intentions, await plain.messages(conversationId)) })
}

/** Creates conversations, each under the fault, and compares the gateway's new conversations with the answers. */
export const runCreations = async (
  world: World,
  matrix: FaultMatrix,
  sendCase: SendCase,
  cases: number,
): Promise<void> => {
  const { client, plain } = world
  const before = new Set(await plain.conversationIds(ENDPOINTS.echo))
  const reported = new Set<string | null>()
  for (let number = 0; number < cases; number += 1) {
    const outcome = await underFault(world, sendCase, () =>
      client.conversations.create({ endpoint_id: ENDPOINTS.echo }).outcome(),
    )
    reported.add(outcome.kind === 'admitted' ? outcome.data.conversation_id : null)
  }
  const created = (await plain.conversationIds(ENDPOINTS.echo)).filter((id) => !before.has(id))
  matrix.add(`create: ${sendCase.fault}`, {
    cases,
    admissionsLost: cases - created.filter((id) => reported.has(id)).length,
    admissionsDoubled: Math.max(0, created.length - cases),
  })
}

/**
 * The client gives up after the gateway has admitted a message. Its handle, serialised and parsed, finishes the
 * message.
 */
export const runReplay = async (
  { client, proxy, plain, createConversation }: World,
  matrix: FaultMatrix,
): Promise<void> => {
  const conversationId = await createConversation()
  const text = 'given up é 漢 𝄞'
  proxy.inject({
    method: 'POST',
    fault: { kind: 'answer', status: 503, headers: { 'retry-after': '100000' }, reachesTarget: true },
  })
  const outcome = await client.messages.send(conversationId, { expected_generation: 1, input: { text } }).outcome()
  if (outcome.kind !== 'unknown') throw new Error(`the outcome is ${outcome.kind} instead of unknown`)
  const handle: typeof outcome.handle = JSON.parse(JSON.stringify(outcome.handle))
  const { message_id } = await client.replay(handle)
  const counts = countAdmissions([{ text, messageId: message_id }], await plain.messages(conversationId))
  matrix.add('send: given up after commit, replayed later', { cases: 1, ...counts })
}

/**
 * Makes the call with the fault on its requests of this method. Throws if a fault was not applied, if the client waited
 * too briefly, or if it repeated a request after a harmless fault.
 */
export const underFault = async <T>(
  world: World,
  { fault, attempts, leastWaitMs = 0 }: SendCase,
  call: () => Promise<T>,
  { calls = 1, method = 'POST' } = {},
) => {
  const { proxy, timing } = world
  proxy.clearExchanges()
  for (const met of attempts(timing.now())) proxy.inject({ method, fault: met })
  const startedAt = timing.now()
  const outcome = await passingSilences(world, call())
  if (proxy.waitingFaults() > 0) throw new Error(`${fault}: ${proxy.waitingFaults()} faults were not applied`)
  if (timing.now() - startedAt < leastWaitMs) throw new Error(`${fault}: the client did not wait for ${leastWaitMs} ms`)
  assertUnnoticed(proxy, fault, calls)
  return outcome
}
