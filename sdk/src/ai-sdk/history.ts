import type { UIMessage } from 'ai'
import type { Message } from '../generated/gateway.ts'
import { activityPart } from './activity-parts.ts'

/**
 * Messages of a history, the oldest first, as the Vercel AI SDK shows them: the user's under their own IDs, and one of
 * the assistant for each run, under the run's ID, with the parts that its stream makes. A history does not tell when
 * activities and text came: the activities of a message are before its text, its data after it.
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
