import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { Assistant, AssistantInput, AssistantOutcome, ContextMessage } from './assistant.ts'
import { fail } from './assistant.ts'

export interface OpenaiConfig {
  /** Where `/chat/completions` is found. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
  readonly systemPrompt: string | null
}

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
  async function* ({ input, signal, readContext }) {
    const messages = [
      ...(config.systemPrompt === null ? [] : [{ role: 'system', content: config.systemPrompt }]),
      ...(await readContext()).map((message) => ({ role: message.role, content: contentOf(message) })),
      { role: 'user', content: contentOf(input) },
    ]
    try {
      const response = await fetch(`${config.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
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

const contentOf = ({ text, data }: Pick<AssistantInput & ContextMessage, 'text' | 'data'>): string =>
  [text, data === null ? null : JSON.stringify(data)].filter(Boolean).join('\n\n')

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
