import { SignatureError } from '../signature/signature-error.ts'
import { joinChunks } from './join-chunks.ts'
import type { CallbackReceiver } from './receiver.ts'

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
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    length += next.value.length
    if (length > maxBytes) {
      await reader?.cancel()
      return undefined
    }
    chunks.push(next.value)
  }
  return joinChunks(chunks, length)
}
