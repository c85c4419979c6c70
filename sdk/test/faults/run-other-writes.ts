import { randomUUID } from 'node:crypto'
import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { ENDPOINTS } from '../support/gateway-process.ts'
import { countAdmissions, type FaultMatrix } from './matrix.ts'
import { underFault } from './run-sends.ts'
import type { SendCase } from './send-cases.ts'
import type { World } from './world.ts'

/** The input of a run that continues until it is stopped. */
const HANGING = { data: { script: [{ delta: 'on and on' }, { hang: true }] } }

/**
 * Not tried on the upload of bytes: a correct answer is also 200 with JSON, and the client does not check its members.
 */
const LIKE_A_RECORD = 'JSON 200 of another server'

/** The counts of something that must happen once, and happened `count` times. */
const countsOf = (count: number) => ({
  cases: 1,
  admissionsLost: count === 0 ? 1 : 0,
  admissionsDoubled: Math.max(0, count - 1),
})

const ofType = (events: readonly EventEnvelope[], type: string) => events.filter((event) => event.type === type)

/**
 * Makes a direct run, a cancel, a reset and an upload under the fault, and counts the effects of each at the gateway.
 */
export const runOtherWrites = async (world: World, matrix: FaultMatrix, sendCase: SendCase): Promise<void> => {
  const { client, plain, proxy } = world
  const { fault } = sendCase

  const text = `direct, ${fault}: é 𝄞`
  // Each case has its own conversation: messages of earlier rounds would be counted as doubled.
  const conversationKey = randomUUID()
  const direct = await underFault(world, sendCase, () =>
    client.runs.create(ENDPOINTS.echo, { input: { text }, conversation_key: conversationKey }).outcome(),
  )
  const admission = direct.kind === 'admitted' ? direct.data : null
  matrix.add(`direct run: ${fault}`, {
    cases: 1,
    ...countAdmissions(
      [{ text, messageId: admission?.message_id ?? null }],
      admission === null ? [] : await plain.messages(admission.conversation_id),
    ),
  })

  const { conversation_id: id, generation } = await client.conversations.create({ endpoint_id: ENDPOINTS.script })
  const { run_id } = await client.messages.send(id, { expected_generation: generation, input: HANGING })
  const cancelled = await underFault(world, sendCase, () => client.runs.cancel(run_id).outcome())
  const ended = await plain.settledEvents(id)
  matrix.add(`cancel: ${fault}`, countsOf(cancelled.kind === 'admitted' ? ofType(ended, 'run.cancelled').length : 0))

  const reset = await underFault(world, sendCase, () =>
    client.conversations.reset(id, { expected_generation: generation }).outcome(),
  )
  if (reset.kind === 'admitted') await client.operations.wait(reset.data.operation_id)
  const resets = ofType(await plain.settledEvents(id), 'conversation.reset')
  matrix.add(`reset: ${fault}`, countsOf(reset.kind === 'admitted' ? resets.length : 0))

  for (const method of fault === LIKE_A_RECORD ? ['POST'] : ['POST', 'PUT']) {
    const content = new Blob([`uploaded, ${fault}, ${method}: é 𝄞`], { type: 'text/plain' })
    const record = await underFault(world, sendCase, () => client.resources.upload(content, { filename: 'a.txt' }), {
      method,
    })
    const declared = proxy.exchanges().filter((exchange) => exchange.method === 'POST')
    const stored = await (await client.resources.getContent(record.resource_id)).text()
    matrix.add(`upload, its ${method === 'POST' ? 'declaration' : 'bytes'}: ${fault}`, {
      cases: 1,
      admissionsLost: record.status === 'ready' && stored === (await content.text()) ? 0 : 1,
      // Attachments cannot be listed. Two keys or two bodies would be two attachments.
      admissionsDoubled: new Set(declared.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size - 1,
    })
  }
}
