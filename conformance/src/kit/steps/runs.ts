import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/** The current run. */
export const readRun = async (t: ServerContext, runId: string): Promise<Run> =>
  expectStatus(await t.me.run(runId), 200).body

/** A run of another conversation of the same device, from admission to its end: the device takes and does work by now. */
export async function completeWorkElsewhere(t: ServerContext): Promise<void> {
  const { admission } = await t.start({ succeed: { text: 'elsewhere' } })
  await t.runEnded(admission.run_id)
}

/** What a result says, whichever of the members it leaves out that have nothing to say. */
export const contentOf = (result: unknown): Readonly<Record<string, unknown>> => {
  const { text, resource_ids: resourceIds, error } = Object(result)
  return { text: text ?? '', resource_ids: resourceIds ?? [], error: error ?? null }
}
/** Nothing has come of the run yet. The specification would let a run show parts before its end, so `core` does too. */
export function expectNoResult(t: ServerContext, { state, result }: Run): void {
  if (t.profile === 'reference') assert.equal(result, null, `a run that is ${state} has a result`)
}
