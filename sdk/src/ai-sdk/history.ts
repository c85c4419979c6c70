import type { UIMessage } from 'ai'
import type { Message } from '../generated/gateway.ts'

/**
 * Messages of a history, the oldest first, as the Vercel AI SDK shows them: the user's under their own IDs, and one of
 * the assistant for each run, under the run's ID, as its stream makes it.
 */
export function toUIMessages(messages: readonly Message[]): UIMessage[] {
  const found: UIMessage[] = []
  const byRun = new Map<string, UIMessage>()
  for (const { role, message_id, run_id, content } of messages) {
    const { text } = content
    if (role === 'user') found.push({ id: message_id, role: 'user', parts: text ? [{ type: 'text', text }] : [] })
    else if (text) {
      const message: UIMessage = byRun.get(run_id) ?? { id: run_id, role: 'assistant', parts: [] }
      if (!byRun.has(run_id)) found.push(message)
      byRun.set(run_id, message)
      message.parts.push({ type: 'text', text, state: 'done' })
    }
  }
  return found
}
