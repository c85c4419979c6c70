import { createClient } from '../../src/index.ts'
import { API_KEY } from '../support/gateway-process.ts'
import { createPlainGateway } from '../support/plain-gateway.ts'
import { countAdmissions, countEvents, type FaultMatrix, type Intended } from './matrix.ts'
import { collectEvents } from './run-streams.ts'
import type { World } from './world.ts'

const SENDERS = 3
const MESSAGES = 4
/** The maximum real time in which a stream must catch up after the gateway restarts. */
const CATCH_UP_DEADLINE_MS = 120_000

/**
 * Kills the gateway while requests are on their way to it and a stream is open, and starts it again on another port.
 * @param killAt The gateway is killed while the request of the message with this number, from 1, is on its way.
 */
export const runRestart = async ({ gateway, proxy }: World, matrix: FaultMatrix, killAt: number): Promise<void> => {
  const subject = `subject-restart-${crypto.randomUUID()}`
  const plain = createPlainGateway(() => gateway.origin, subject)
  const client = createClient({ baseUrl: proxy.origin, apiKey: API_KEY, subject, backoff: { baseMs: 20, maxMs: 200 } })
  const { conversation_id } = await client.conversations.create({ endpoint_id: 'ep_echo' })
  proxy.clearExchanges()

  const leave = new AbortController()
  const stream = client.conversations.events(conversation_id, { signal: leave.signal })
  let hasEnded = false
  const watched = collectEvents(stream, Number.POSITIVE_INFINITY).finally(() => {
    hasEnded = true
  })
  // The error of this promise is thrown where it is awaited.
  watched.catch(() => {})

  const intentions: Intended[] = []
  const send = async (sender: number): Promise<void> => {
    for (let number = 0; number < MESSAGES; number += 1) {
      const text = `sender ${sender}, number ${number}: é 𝄞`
      const outcome = await client.messages.send(conversation_id, { expected_generation: 1, input: { text } }).outcome()
      intentions.push({ text, messageId: outcome.kind === 'admitted' ? outcome.data.message_id : null })
    }
  }
  const isSend = ({ method }: { readonly method: string }): boolean => method === 'POST'
  const underWay = proxy.untilExchange(
    (exchange) =>
      isSend(exchange) && exchange.deliveries[0]?.status === null && proxy.exchanges().filter(isSend).length >= killAt,
  )
  const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender))
  await underWay
  await gateway.kill()
  proxy.target = null
  await gateway.start()
  proxy.target = gateway.origin
  await Promise.all(senders)

  const log = await plain.settledEvents(conversation_id)
  const deadline = AbortSignal.timeout(CATCH_UP_DEADLINE_MS)
  while (!hasEnded && (stream.position ?? 0) < (log.at(-1)?.seq ?? 0) && !deadline.aborted) await pause()
  leave.abort()
  matrix.add('send: gateway killed and restarted', {
    cases: intentions.length,
    ...countAdmissions(intentions, await plain.messages(conversation_id)),
  })
  matrix.add('stream: gateway killed and restarted', { cases: 1, ...countEvents(log, await watched) })
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))
