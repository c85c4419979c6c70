import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import type { Reply } from '../client/reply/reply.ts'
import { HEARTBEAT_MS, streamHeaders } from '../client/reply/reply-stream.ts'
import { RunFailedError } from '../errors.ts'
import { leavable } from '../events/leavable.ts'
import type { Activity } from '../generated/gateway.ts'
import { dataTypeOf, failureOf, webSourceOf } from './history.ts'

export interface UIMessageStreamOptions {
  /**
   * The error text for the page when a reply fails or can no longer be read. Default: the message of the run's error,
   * or a general sentence if the run has none or the error is another one.
   */
  readonly onError?: ((error: unknown) => string) | undefined
}

/**
 * A reply as the chunks of one `UIMessage` of the Vercel AI SDK. The message has the run's ID, and a text part for each
 * message of the assistant, so a restarted stream of the same run makes the same message. A cancelled reply ends with
 * `abort`, any other reply without success with `error`. Leaving the stream stops reading and cancels nothing.
 *
 * Activities are parts as well, with their inputs and outputs as the assistant reports them:
 * - `tool`: a `dynamic-tool`, executed by the provider. The error of a failed tool is its `text`, or else its output.
 * - `reasoning`: a `reasoning` part. If its text is replaced instead of continued, a new part begins.
 * - `source`: a `source-url` if `output.url` is a web URL, with the state at the moment when the URL arrived.
 * - every other kind, and other sources: a part `data-` with the kind, whose `id` is that of the activity and whose
 *   `data` is the activity, replaced with each change.
 *
 * Data of the result are a part `data-result` at the end, whose `id` is the run's; usage is `metadata.usage` of the
 * message.
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
 * The same as a `Response`: `return toUIMessageStreamResponse(await sendChatMessage(client, await request.json()))`.
 * Without a reply it is 204, which tells `useChat({ resume: true })` that there is nothing to resume.
 * @throws {GatewayError} the message was not admitted (as `reply.admission` rejects), or the reply's run does not
 * exist.
 */
export async function toUIMessageStreamResponse(
  reply: Pick<Reply, 'runId' | 'progress'> | null,
  options: UIMessageStreamOptions & Pick<ResponseInit, 'headers'> = {},
): Promise<Response> {
  const { headers, ...streaming } = options
  if (reply === null) return new Response(null, { status: 204, ...(headers && { headers }) })
  // Wait before the response head is sent, so that a refusal keeps its status.
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

type Chunks = Generator<UIMessageChunk, void, undefined>

/** The activities of one reply as chunks, in the order in which they change. */
const createActivityChunks = () => {
  /** The text of each reasoning that was already sent in its open part. */
  const openReasoning = new Map<string, string>()
  /** The text of each reasoning whose part has ended. */
  const endedReasoning = new Map<string, string>()
  const sources = new Set<string>()

  function* reasoning({ activity_id: id, state, text = '' }: Activity): Chunks {
    if (endedReasoning.get(id) === text) return
    endedReasoning.delete(id)
    const open = openReasoning.get(id)
    // Parts only grow, so a replaced text needs a new part.
    const before = open !== undefined && text.startsWith(open) ? open : undefined
    if (before === undefined) {
      if (open !== undefined) yield { type: 'reasoning-end', id }
      yield { type: 'reasoning-start', id }
    }
    const delta = text.slice(before?.length ?? 0)
    if (delta !== '') yield { type: 'reasoning-delta', id, delta }
    if (state === 'succeeded' || state === 'failed') {
      openReasoning.delete(id)
      endedReasoning.set(id, text)
      yield { type: 'reasoning-end', id }
    } else openReasoning.set(id, text)
  }

  function* other(activity: Activity): Chunks {
    const source = webSourceOf(activity)
    if (source === null) return yield { type: dataTypeOf(activity), id: activity.activity_id, data: activity }
    // A page would show each chunk of a source as another source.
    if (sources.has(source.sourceId)) return
    sources.add(source.sourceId)
    yield { type: 'source-url', ...source }
  }

  return {
    /** The chunks of an activity that has changed. */
    of(activity: Activity): Chunks {
      if (activity.kind === 'tool') return tool(activity)
      return activity.kind === 'reasoning' ? reasoning(activity) : other(activity)
    },
    /** Ends reasoning parts that the run has left open. */
    *end(): Chunks {
      for (const id of openReasoning.keys()) yield { type: 'reasoning-end', id }
      openReasoning.clear()
    },
  }
}

function* tool(activity: Activity): Chunks {
  const { activity_id: toolCallId, name: toolName, title, state, input = null, output } = activity
  // The assistant executes the tool. Without `providerExecuted`, the page would try to execute it.
  const call = { toolCallId, dynamic: true, providerExecuted: true }
  yield { type: 'tool-input-available', ...call, toolName, input, ...(title !== undefined && { title }) }
  if (state === 'failed') yield { type: 'tool-output-error', ...call, errorText: failureOf(activity) }
  else if (state === 'succeeded') yield { type: 'tool-output-available', ...call, output: output ?? null }
  else if (output !== undefined) yield { type: 'tool-output-available', ...call, output, preliminary: true }
}
