import { wordsOf } from '@conversation-gateway/openapi/behaviour/echo'
import type { Assistant } from './assistant.ts'

/** Streams the input text back word by word, or, without a text, the JSON of `data` as it was sent (D-44). */
export const echo: Assistant = async function* ({ input }) {
  for (const delta of wordsOf(input.text || (input.dataText ?? ''))) yield { delta }
  return undefined
}
