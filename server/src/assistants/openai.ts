import type { Assistant, AssistantOutcome, AssistantRequest, AssistantResource, ContextMessage } from './assistant.ts'
import { fail } from './assistant.ts'
import { readAnswer, unavailable } from './openai-answer.ts'

export interface OpenaiConfig {
  /** The base URL of `/chat/completions`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
  readonly systemPrompt: string | null
  /** Whether an answer that ended at its length limit is a success. */
  readonly acceptTruncated: boolean
  /** Further members of the request, such as `temperature`; null removes a default member. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** Maximum bytes of attached text in one request; further attachments are only named. */
const ATTACHED_BYTES = 256 * 1024
/** Maximum bytes of attached images in one request. */
const IMAGE_BYTES = 8 * 1024 * 1024

/**
 * Streams from any server that speaks the OpenAI chat-completions protocol, with the generation's history as context
 * (D-44). A stop aborts the call. Failures:
 * - UPSTREAM_UNAVAILABLE (retryable): not reachable, overloaded (408, 409, 429, 5xx), an error or an end in mid-stream,
 *   or 5 minutes without a byte, after which `fetch` gives up;
 * - UPSTREAM_REFUSED: any other status than 200, redirects included;
 * - UPSTREAM_INVALID: an answer that does not follow the protocol;
 * - ANSWER_TRUNCATED, TOOL_CALLS_UNSUPPORTED, CONTENT_FILTERED: an answer that the model did not complete (D-72).
 * The server's error text is not passed on, because it may contain the key. Without an answer, the message names the
 * system's error code.
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
          ...config.headers,
          ...(config.apiKey === null ? {} : { authorization: `Bearer ${config.apiKey}` }),
          ...(traceparent === null ? {} : { traceparent }),
        },
        body: JSON.stringify(
          withoutNulls({ ...DEFAULTS, ...config.parameters, model: config.model, messages, stream: true }),
        ),
        redirect: 'manual',
        signal,
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        return refused(response.status)
      }
      const contentType = response.headers.get('content-type')
      return yield* readAnswer(response.body ?? [], { contentType, acceptTruncated: config.acceptTruncated })
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof TypeError)) throw error
      return unavailable(`could not be reached, or the connection broke${reasonOf(error)}`)
    }
  }

/** The error code of the system or of TLS, such as ECONNREFUSED. It contains neither the address nor the key. */
const reasonOf = ({ cause }: TypeError): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''

/** Asks the server to report usage (D-71). */
const DEFAULTS = { stream_options: { include_usage: true } }

const withoutNulls = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

interface ModelMessage {
  readonly role: ContextMessage['role']
  readonly content: string | readonly ContentPart[]
}

/** The messages in the protocol's form. The newest messages get the attachment budget of the request first. */
const describeMessages = async (
  said: readonly ContextMessage[],
  { readResource }: Pick<AssistantRequest, 'readResource'>,
): Promise<ModelMessage[]> => {
  const messages: ModelMessage[] = []
  let bytesLeft = ATTACHED_BYTES
  let imageBytesLeft = IMAGE_BYTES
  for (const { role, text, dataText, resourceIds } of said.toReversed()) {
    const typed = [text, dataText].filter(Boolean).join('\n\n')
    const attached: ContentPart[] = []
    for (const resourceId of resourceIds) {
      const resource = await readResource(resourceId)
      if (resource === null) continue
      // Models accept images in user messages and refuse them in assistant messages.
      if (role === 'user' && isImage(resource.contentType) && resource.size <= imageBytesLeft) {
        imageBytesLeft -= resource.size
        attached.push(await showImage(resource))
        continue
      }
      const fits = isText(resource.contentType) && resource.size <= bytesLeft
      if (fits) bytesLeft -= resource.size
      attached.push({ type: 'text', text: await describeResource(resource, fits) })
    }
    const parts: ContentPart[] = [...(typed === '' ? [] : [{ type: 'text', text: typed } as const]), ...attached]
    messages.push({ role, content: attached.length === 0 ? typed : parts })
  }
  return messages.toReversed()
}

const showImage = async ({ contentType, readContent }: AssistantResource): Promise<ContentPart> => {
  const [mediaType = ''] = contentType.split(';')
  const base64 = Buffer.from(await readContent()).toString('base64')
  return { type: 'image_url', image_url: { url: `data:${mediaType.trim()};base64,${base64}` } }
}

const describeResource = async (resource: AssistantResource, withContent: boolean): Promise<string> => {
  const { filename, contentType, size } = resource
  const name = `Attachment ${filename} (${contentType}, ${size} bytes)`
  return withContent ? `${name}:\n\n${new TextDecoder().decode(await resource.readContent())}` : `${name}, not shown.`
}

/** Media types whose content is text. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|xml|yaml|toml|javascript|x-ndjson|sql)\b|[^;]*\+(?:json|xml|yaml)\b)/i
/** Image types that servers of the protocol accept. */
const isImage = (contentType: string): boolean => /^image\/(?:png|jpeg|webp|gif)\b/i.test(contentType)
const isText = (contentType: string): boolean => TEXT_TYPE.test(contentType)

const refused = (status: number): AssistantOutcome =>
  [408, 409, 429].includes(status) || status >= 500
    ? unavailable(`answered with status ${status}`)
    : fail('UPSTREAM_REFUSED', `The model server refused the request with status ${status}.`)
