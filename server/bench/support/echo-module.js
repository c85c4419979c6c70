import { wordsOf } from '@conversation-gateway/openapi/behaviour/echo'

/** The assistant `echo` as a module. */
export default async function* ({ input }) {
  for (const delta of wordsOf(input.text)) yield { delta }
}
