import type { Socket } from 'node:net'
import type { Answer, EncodedAnswer } from './answer.ts'
import { encodeAnswer } from './answer.ts'
import type { ProxiedRequest } from './ask-target.ts'
import { askTarget } from './ask-target.ts'
import type { Bytes, Ending } from './bytes.ts'
import { bytesOf } from './bytes.ts'
import type { Ask, Effect, ExchangeContext } from './effect.ts'
import { effectOf } from './effect.ts'
import type { DeliveryRecorder, ExchangeRecorder } from './exchange.ts'
import type { Fault } from './fault.ts'

export interface ForwardOptions {
  readonly request: ProxiedRequest
  /** Origin of the target, or null to simulate a port without a listener. */
  readonly target: string | null
  readonly faults: readonly Fault[]
  /** The client's connection. It is always closed at the end. */
  readonly client: Socket
  readonly recorder: ExchangeRecorder
}

/** Forwards one exchange and applies its faults, from the complete request to the end of the connection. */
export const forwardExchange = async ({ request, target, faults, client, recorder }: ForwardOptions): Promise<void> => {
  const ended = new AbortController()
  client.once('close', () => ended.abort())
  const context = { ended: ended.signal, onSilence: recorder.silent }
  const effects = faults.map(effectOf)
  const headers = effects.reduce((fields, effect) => effect.request?.(fields) ?? fields, request.headers)
  const atTarget: Ask = () => deliver({ ...request, headers }, target, ended.signal, recorder)
  const ask = effects.reduce((inner, effect) => effect.ask?.(inner, request.method) ?? inner, atTarget)

  const answer = await ask().catch(() => null)
  const ending = answer === null ? 'reset' : await send(client, wireBytes(answer, effects, context), recorder)
  recorder.ended(client.destroyed ? 'abandoned' : ending)
  ended.abort()
  if (ending === 'reset') client.resetAndDestroy()
  else client.end()
}

const deliver = async (
  request: ProxiedRequest,
  target: string | null,
  ended: AbortSignal,
  recorder: ExchangeRecorder,
): Promise<Answer | null> => {
  if (target === null) return null
  let delivery: DeliveryRecorder | undefined
  // A target may answer before it has received the whole request.
  const delivered = (): DeliveryRecorder => {
    delivery ??= recorder.delivered()
    return delivery
  }
  return await askTarget({
    target,
    request,
    ended,
    onDelivered: delivered,
    onStatus: (status) => delivered().answered(status),
    onContent: (byteLength) => delivered().received(byteLength),
  })
}

const wireBytes = (answer: Answer | Uint8Array, effects: readonly Effect[], context: ExchangeContext): Bytes => {
  const encoded =
    answer instanceof Uint8Array
      ? toEncodedAnswer(answer)
      : encodeAnswer(effects.reduce((inner, { content }) => content?.(inner, context) ?? inner, answer))
  return effects.reduce((inner, { bytes }) => bytes?.(inner, encoded.headBytes, context) ?? inner, encoded.bytes)
}

const toEncodedAnswer = (bytes: Uint8Array): EncodedAnswer => {
  const headEnd = Buffer.from(bytes).indexOf('\r\n\r\n')
  return { headBytes: headEnd === -1 ? 0 : headEnd + 4, bytes: bytesOf(bytes) }
}

/** Writes each piece separately and waits until the connection has accepted it. */
const send = async (client: Socket, bytes: Bytes, recorder: ExchangeRecorder): Promise<Ending> => {
  for (;;) {
    const step = await bytes.next()
    if (step.done) return step.value
    const isWritten = await new Promise<boolean>((resolve) => client.write(step.value, (error) => resolve(!error)))
    if (!isWritten) return 'reset'
    recorder.sent(step.value)
  }
}
