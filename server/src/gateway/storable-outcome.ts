import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { storable } from '../domain/storable-text.ts'

/** Longest message of an error; the rest is cut off. */
const ERROR_CHARACTERS = 2000

/**
 * The outcome with texts that the database takes; null where `store` refuses one.
 * @param store Makes a text storable, and counts it.
 */
export const storableOutcome = (outcome: RunOutcome, store: (text: string) => string | null): RunOutcome | null => {
  if (outcome.state === 'failed') {
    const message = storable(outcome.error.message.slice(0, ERROR_CHARACTERS))
    return { ...outcome, error: { ...outcome.error, message } }
  }
  if (outcome.state !== 'succeeded' || (outcome.text === undefined && outcome.resourceIds === undefined)) return outcome
  const text = store(outcome.text ?? '')
  const resourceIds = (outcome.resourceIds ?? []).map(store)
  if (text === null || !resourceIds.every((id) => id !== null)) return null
  return {
    ...outcome,
    ...(outcome.text === undefined ? {} : { text }),
    ...(outcome.resourceIds === undefined ? {} : { resourceIds }),
  }
}
