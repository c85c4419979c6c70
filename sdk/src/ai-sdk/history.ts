import type { SourceUrlUIPart, UIMessage } from 'ai'
import type { Activity, Message } from '../generated/gateway.ts'

/**
 * Converts the messages of a history, oldest first, to messages of the Vercel AI SDK. A user's message keeps its ID.
 * All messages of the assistant in a run become one message, with the run's ID and the parts that the run's stream
 * makes. A history does not record the order of activities and text: a message has its activities first, then its text
 * and data.
 */
export function toUIMessages(messages: readonly Message[]): UIMessage[] {
  const found: UIMessage[] = []
  const byRun = new Map<string, UIMessage>()
  for (const { role, message_id, run_id, content } of messages) {
    if (role === 'user') {
      const { text } = content
      found.push({ id: message_id, role: 'user', parts: text ? [{ type: 'text', text }] : [] })
      continue
    }
    const parts = partsOf(run_id, content)
    if (parts.length === 0) continue
    const message: UIMessage = byRun.get(run_id) ?? { id: run_id, role: 'assistant', parts: [] }
    if (!byRun.has(run_id)) found.push(message)
    byRun.set(run_id, message)
    message.parts.push(...parts)
  }
  return found
}

const partsOf = (runId: string, { text, data, activities = [] }: Message['content']): UIMessage['parts'] => [
  ...activities.map(activityPart),
  ...(text ? [{ type: 'text', text, state: 'done' } as const] : []),
  ...(data ? [{ type: 'data-result', id: runId, data } as const] : []),
]

type Part = UIMessage['parts'][number]

/** The part of a message that shows an activity in its recorded state. */
const activityPart = (activity: Activity): Part => {
  const { activity_id, kind, name, title, state, input = null, output, text = '' } = activity
  if (kind === 'reasoning') return { type: 'reasoning', text, state: 'done' }
  if (kind !== 'tool') {
    const source = webSourceOf(activity)
    return source === null
      ? { type: dataTypeOf(activity), id: activity_id, data: activity }
      : { type: 'source-url', ...source }
  }
  const tool = {
    type: 'dynamic-tool',
    toolName: name,
    toolCallId: activity_id,
    providerExecuted: true,
    input,
    ...(title !== undefined && { title }),
  } as const
  if (state === 'failed') return { ...tool, state: 'output-error', errorText: failureOf(activity) }
  if (state === 'succeeded') return { ...tool, state: 'output-available', output: output ?? null }
  return output === undefined
    ? { ...tool, state: 'input-available' }
    : { ...tool, state: 'output-available', output, preliminary: true }
}

/** The type of the data parts for activities of kinds that the AI SDK has no part for. */
export const dataTypeOf = ({ kind }: Activity): `data-${string}` => `data-${kind}`

/** Why a tool failed: the text or the output that the assistant gave, or else a general sentence. */
export const failureOf = ({ text, output, title, name }: Activity): string => {
  if (text) return text
  if (output === undefined || output === null) return `${title ?? name} failed.`
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/**
 * A source whose output has the URL of a web page; null for every other activity. A link of another scheme could run
 * code.
 */
export const webSourceOf = ({
  activity_id,
  kind,
  title,
  output,
}: Activity): Pick<SourceUrlUIPart, 'sourceId' | 'url' | 'title'> | null => {
  if (kind !== 'source' || typeof output !== 'object' || output === null || !('url' in output)) return null
  const { url } = output
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return null
  return { sourceId: activity_id, url, ...(title !== undefined && { title }) }
}
