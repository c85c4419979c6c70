import type { Admitted, Found, FoundJson, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'

/** The answer to a request; throws if it was refused. */
export const answerOf = <Body>(outcome: Admitted<Body> | Found<Body> | FoundJson<Body> | Refusal): Body => {
  if (outcome.kind === 'refused') throw new Error(`refused with ${outcome.code}: ${outcome.detail}`)
  return outcome.kind === 'found_json' ? JSON.parse(outcome.json) : outcome.body
}

/** The code of a refusal, or “not refused”. */
export const codeOf = (outcome: { readonly kind: string; readonly code?: string }): string =>
  outcome.kind === 'refused' ? (outcome.code ?? '') : 'not refused'
