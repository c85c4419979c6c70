import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import type { Reply } from '../client/reply/reply.ts'
import { HEARTBEAT_MS } from '../client/reply/reply-stream.ts'
import { streamHeaders } from '../client/reply/stream-headers.ts'
import { leavable } from '../events/leavable.ts'
import { RunFailedError } from '../run-failed-error.ts'
import { createActivityChunks } from './activity-chunks.ts'

export interface UIMessageStreamOptions {
  /**
   * What the page is told of a reply that ends without success, or that cannot be read on. Default: the message of the
   * run's error, which its assistant wrote, and nothing of other errors.
   */
  readonly onError?: ((error: unknown) => string) | undefined
}

/**
 * A reply as the chunks of one `UIMessage` of the Vercel AI SDK. The message has the run's ID, and a text part for each
 * message of the assistant, so that a stream of the same run that is begun anew makes the same message. A reply that ends
 * without success ends with `error`, a cancelled one with `abort`. Leaving the stream ends reading and cancels nothing.
 *
 * Activities are parts as well, with their inputs and outputs as the assistant tells them:
 * - `tool`: a `dynamic-tool`, executed by the provider. What a failed one has as `text`, or else as output, is its error.
 * - `reasoning`: a `reasoning` part. Where its text is replaced and not continued, another one.
 * - `source`: a `source-url` where `output.url` is of the web, as it was when the URL came.
 * - every other kind, and other sources: a part `data-` with the kind, whose `id` is that of the activity and whose
 *   `data` is the activity, replaced with each change.
 *
 * Data of the result are a part `data-result` at the end, whose `id` is the run's; usage is `metadata.usage` of the message.
 */
export function toUIMessageStream(
  reply: Pick<Reply, 'runId' | 'progress'>,
  { onError = describe }: UIMessageStreamOptions = {},
): ReadableStream<UIMessageChunk> {
  const chunks = leavable(undefined, (signal) => chunksOf(reply, onError, signal))
  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

/**
 * The same as an answer to the page: `return toUIMessageStreamResponse(await sendChatMessage(client, await request.json()))`.
 * Without a reply it is 204, which is how `useChat({ resume: true })` is told that there is nothing to resume.
 * @throws {GatewayError} the message was not admitted, as `reply.admission` rejects, or the run of the reply is not there.
 */
export async function toUIMessageStreamResponse(
  reply: Pick<Reply, 'runId' | 'progress'> | null,
  options: UIMessageStreamOptions & Pick<ResponseInit, 'headers'> = {},
): Promise<Response> {
  const { headers, ...streaming } = options
  if (reply === null) return new Response(null, { status: 204, ...(headers && { headers }) })
  // Before the head of the answer is sent: what is refused has a status of its own.
  await reply.runId()
  return createUIMessageStreamResponse({
    stream: toUIMessageStream(reply, streaming),
    keepAliveMs: HEARTBEAT_MS,
    headers: streamHeaders(headers),
  })
}

async function* chunksOf(
  reply: Pick<Reply, 'runId' | 'progress'>,
  onError: (error: unknown) => string,
  signal: AbortSignal,
): AsyncGenerator<UIMessageChunk, void, undefined> {
  const begun = new Set<string>()
  const activities = createActivityChunks()
  function* ends(): Generator<UIMessageChunk, void, undefined> {
    yield* activities.end()
    for (const id of begun) yield { type: 'text-end', id }
  }
  let text = ''
  try {
    const runId = await reply.runId()
    yield { type: 'start', messageId: runId }
    for await (const item of reply.progress({ signal })) {
      if ('activity' in item) {
        yield* activities.of(item.activity)
      } else if ('text' in item) {
        const { message_id: id, text: delta } = item
        if (!begun.has(id)) yield { type: 'text-start', id }
        begun.add(id)
        text += delta
        yield { type: 'text-delta', id, delta }
      } else {
        const { state, error, result } = item
        if (result?.usage) yield { type: 'message-metadata', messageMetadata: { usage: result.usage } }
        if (state !== 'succeeded') throw new RunFailedError({ runId, state, error, text })
        yield* ends()
        if (result?.data) yield { type: 'data-result', id: runId, data: result.data }
        yield { type: 'finish', finishReason: result?.truncated ? 'length' : 'stop' }
      }
    }
  } catch (error) {
    yield* ends()
    if (error instanceof RunFailedError && error.state === 'cancelled') yield { type: 'abort', reason: 'cancelled' }
    else yield { type: 'error', errorText: onError(error) }
  }
}

const describe = (error: unknown): string =>
  error instanceof RunFailedError
    ? (error.error?.message ?? `The run ended ${error.state}.`)
    : 'The reply could not be read to its end; loading it again is safe.'
