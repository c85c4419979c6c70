import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/** Reads a run. */
export const readRun = async (t: ServerContext, runId: string): Promise<Run> =>
  expectStatus(await t.me.run(runId), 200).body

/** Completes a run in another conversation of the same device. This proves that the device accepts and executes work. */
export async function completeWorkElsewhere(t: ServerContext): Promise<void> {
  const { admission } = await t.start({ succeed: { text: 'elsewhere' } })
  await t.runEnded(admission.run_id)
}

/** The content of a result, with defaults for members that a gateway may omit. */
export const contentOf = (result: unknown): Readonly<Record<string, unknown>> => {
  const { text, resource_ids: resourceIds, error } = Object(result)
  return { text: text ?? '', resource_ids: resourceIds ?? [], error: error ?? null }
}

/** Fails if an unfinished run has a result. Only for `reference`: the specification allows partial results. */
export function expectNoResult(t: ServerContext, { state, result }: Run): void {
  if (t.profile === 'reference') assert.equal(result, null, `a run that is ${state} has a result`)
}
