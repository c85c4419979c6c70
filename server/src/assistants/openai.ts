import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { Assistant, AssistantOutcome, AssistantRequest, AssistantResource, ContextMessage } from './assistant.ts'
import { fail } from './assistant.ts'

export interface OpenaiConfig {
  /** Where `/chat/completions` is found. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
  readonly systemPrompt: string | null
}

/** Bytes of attached text that one request holds; what does not fit is only named. */
const ATTACHED_BYTES = 256 * 1024

/** Longest frame that is read from the model's server, in characters. */
const FRAME_CHARACTERS = 1024 * 1024

/**
 * Streams from any server that speaks the OpenAI chat-completions protocol, with the generation's history as context
 * (D-44). A stop aborts the call. Failures:
 * - UPSTREAM_UNAVAILABLE (retryable): not reachable, overloaded (408, 409, 429, 5xx), an error or an end in mid-stream,
 *   or 5 minutes without a byte, which is where `fetch` gives up;
 * - UPSTREAM_REFUSED: any other status than 200, redirects included, or an answer withheld by a content filter;
 * - UPSTREAM_INVALID: an answer that is not such a stream.
 * What the other server says about a fault is not passed on: it may quote the key.
 */
export const createOpenai = (config: OpenaiConfig): Assistant =>
  async function* (request) {
    const { input, signal, traceparent, readContext } = request
    const said: ContextMessage[] = [...(await readContext()), { role: 'user', ...input }]
    const messages = [
      ...(config.systemPrompt === null ? [] : [{ role: 'system', content: config.systemPrompt }]),
      ...(await describeMessages(said, request)),
    ]
    try {
      const response = await fetch(`${config.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
          ...(traceparent === null ? {} : { traceparent }),
        },
        body: JSON.stringify({ model: config.model, messages, stream: true }),
        redirect: 'manual',
        signal,
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        return refused(response.status)
      }
      if (response.body === null || !/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
        await response.body?.cancel()
        return invalid('did not answer with an event stream')
      }
      return yield* readStream(response.body)
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof TypeError)) throw error
      return unavailable('could not be reached, or the connection broke')
    }
  }

interface ModelMessage {
  readonly role: ContextMessage['role']
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[]
}

/** The messages as the protocol has them. The newest have the first claim on what attached text a request can hold. */
const describeMessages = async (
  said: readonly ContextMessage[],
  { readResource }: Pick<AssistantRequest, 'readResource'>,
): Promise<ModelMessage[]> => {
  const messages: ModelMessage[] = []
  let bytesLeft = ATTACHED_BYTES
  for (const { role, text, dataText, resourceIds } of said.toReversed()) {
    const typed = [text, dataText].filter(Boolean).join('\n\n')
    const attached: string[] = []
    for (const resourceId of resourceIds) {
      const resource = await readResource(resourceId)
      if (resource === null) continue
      const fits = isText(resource.contentType) && resource.size <= bytesLeft
      if (fits) bytesLeft -= resource.size
      attached.push(await describeResource(resource, fits))
    }
    const parts = [typed, ...attached]
      .filter((part) => part !== '')
      .map((part) => ({ type: 'text', text: part }) as const)
    messages.push({ role, content: attached.length === 0 ? typed : parts })
  }
  return messages.toReversed()
}

const describeResource = async (resource: AssistantResource, withContent: boolean): Promise<string> => {
  const { filename, contentType, size } = resource
  const name = `Attachment ${filename} (${contentType}, ${size} bytes)`
  return withContent ? `${name}:\n\n${new TextDecoder().decode(await resource.readContent())}` : `${name}, not shown.`
}

/** Types that are text although their names do not begin with it. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|xml|yaml|toml|javascript|x-ndjson|sql)\b|[^;]*\+(?:json|xml|yaml)\b)/i
const isText = (contentType: string): boolean => TEXT_TYPE.test(contentType)

async function* readStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ delta: string }, AssistantOutcome | undefined, unknown> {
  const frames: string[] = []
  let oversized = false
  const parser = createParser({
    maxBufferSize: FRAME_CHARACTERS,
    onEvent: ({ data }) => frames.push(data),
    onError: ({ type }) => {
      oversized ||= type === 'max-buffer-size-exceeded'
    },
  })
  const decoder = new TextDecoder()
  let complete = false
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (oversized) return invalid('sent a frame that is too long')
    for (const frame of frames.splice(0)) {
      if (frame === '[DONE]') return undefined
      const chunk = readChunk(frame)
      if (chunk === null) return invalid('sent a frame that is not of the protocol')
      if (chunk.error) return unavailable('reported an error')
      const [choice] = chunk.choices
      if (choice?.delta?.content) yield { delta: choice.delta.content }
      if (choice?.finish_reason === 'content_filter')
        return fail('UPSTREAM_REFUSED', 'The model server withheld the answer.')
      complete ||= Boolean(choice?.finish_reason)
    }
  }
  return complete ? undefined : unavailable('ended the answer before it was complete')
}

const chunkSchema = z.looseObject({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
})

const readChunk = (frame: string): z.infer<typeof chunkSchema> | null => {
  try {
    return chunkSchema.safeParse(JSON.parse(frame)).data ?? null
  } catch {
    return null
  }
}

const refused = (status: number): AssistantOutcome =>
  [408, 409, 429].includes(status) || status >= 500
    ? unavailable(`answered with status ${status}`)
    : fail('UPSTREAM_REFUSED', `The model server refused the request with status ${status}.`)

const unavailable = (what: string): AssistantOutcome =>
  fail('UPSTREAM_UNAVAILABLE', `The model server ${what}.`, { retryable: true })

const invalid = (what: string): AssistantOutcome => fail('UPSTREAM_INVALID', `The model server ${what}.`)
