import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { storableJson } from '../domain/storable-json.ts'
import { storable } from '../domain/storable-text.ts'

/** Longest message of an error; the rest is cut off. */
const ERROR_CHARACTERS = 2000

/**
 * The outcome in storable form; a failure if its data is not valid JSON, and null if it exceeds the output limit.
 * @param spend Counts this many bytes of output; returns whether they are within the limit.
 */
export const storableOutcome = (outcome: RunOutcome, spend: (bytes: number) => boolean): RunOutcome | null => {
  if (outcome.state === 'failed') {
    const message = storable(outcome.error.message.slice(0, ERROR_CHARACTERS))
    return { ...outcome, error: { ...outcome.error, message } }
  }
  if (outcome.state !== 'succeeded') return outcome
  const { text, resourceIds, data } = outcome
  const storedData = data === undefined ? undefined : storableJson(data)
  if (storedData?.kind === 'invalid') return badData(storedData.fault)
  const stored = {
    ...(text === undefined ? {} : { text: storable(text) }),
    ...(resourceIds === undefined ? {} : { resourceIds: resourceIds.map(storable) }),
    ...(storedData === undefined ? {} : { data: storedData.value }),
  }
  const bytes =
    Buffer.byteLength(stored.text ?? '') +
    (stored.resourceIds ?? []).reduce((sum, id) => sum + Buffer.byteLength(id), 0) +
    (storedData?.bytes ?? 0)
  return bytes === 0 || spend(bytes) ? { ...outcome, ...stored } : null
}

const badData = (fault: string): RunOutcome => ({
  state: 'failed',
  error: { code: 'ASSISTANT_ERROR', message: `The assistant failed: its data ${fault}.`, retryable: false },
})
