import { joinChunks } from '../join-chunks.ts'
import { quietly } from '../quietly.ts'
import { SignatureError } from '../signature/signature-error.ts'
import { type CallbackReceiver, SENDER_LEFT } from './receiver.ts'

/**
 * The receiver as a Fetch handler: for Deno, Bun, Workers, Hono, Next.js route handlers and the like.
 *
 * @example
 * export const POST = toFetchHandler(receiver)
 */
export const toFetchHandler =
  (receiver: CallbackReceiver): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { method, headers } = request
    const { status, ...reply } = await receiver.receive({ method, headers, readBody: (max) => readBody(request, max) })
    return new Response(reply.body, { status, headers: reply.headers })
  }

const readBody = async (request: Request, maxBytes: number): Promise<Uint8Array | undefined> => {
  if (request.bodyUsed) {
    throw new SignatureError(
      'parsed_body',
      'The request body was already read. Hand the request over first, or a clone() of it.',
    )
  }
  const reader = request.body?.getReader()
  const leave = (): void => void quietly(() => reader?.cancel())
  const gone = untilAborted(request.signal)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const next = await Promise.race([reader?.read(), gone.aborted])
      if (next?.value === undefined) return joinChunks(chunks, length)
      length += next.value.length
      if (length > maxBytes) {
        leave()
        return undefined
      }
      chunks.push(next.value)
    }
  } catch (error) {
    leave()
    throw error
  } finally {
    gone.stopListening()
  }
}

/** When a sender disconnects, a host may leave the body open and abort only the signal, possibly before this call. */
const untilAborted = (signal: AbortSignal | undefined) => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(new Error(SENDER_LEFT, { cause: signal?.reason }))
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  aborted.catch(() => {})
  return { aborted, stopListening: () => signal?.removeEventListener('abort', abort) }
}
