import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { End } from '@conversation-gateway/openapi/generated/worker-closed'

/** How a run ends, by the `end` step of the worker contract (D-65). */
export const outcomeOf = (end: End): Extract<RunOutcome, { readonly state: 'succeeded' | 'failed' }> => {
  if (end.state === 'failed') return end
  const { resource_ids, ...succeeded } = end
  return { ...succeeded, ...(resource_ids === undefined ? {} : { resourceIds: resource_ids }) }
}
