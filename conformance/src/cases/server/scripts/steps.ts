import type { ServerContext } from '../../../targets/server/context.ts'
import { answersIn } from '../events/steps.ts'

/** Text and completeness of the assistant's messages. */
export const outputIn = async (t: ServerContext, conversationId: string) =>
  (await answersIn(t, conversationId)).map(({ content }) => ({ text: content.text, partial: content.partial ?? false }))
