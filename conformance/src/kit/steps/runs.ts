import assert from 'node:assert/strict'
import type { Conversation, MessageInput, Run } from '#openapi/generated/gateway'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'

/** Reads a run. */
export const readRun = async (t: ServerContext, runId: string): Promise<Run> =>
  expectStatus(await t.me.run(runId), 200).body

/** Sends the input and waits until its run has ended. */
export const runToEnd = async (t: ServerContext, conversation: Conversation, input: MessageInput): Promise<Run> =>
  t.runEnded((await t.admit(conversation, input)).run_id)

/** Admits an input whose run hangs, and waits until it executes. Returns the ID of the run. */
export async function admitHanging(t: ServerContext, conversation: Conversation, by: Caller = t.me): Promise<string> {
  const { run_id: runId } = await t.admit(conversation, t.script({ hang: true }), by)
  await t.runIn(runId, ['running'], by)
  return runId
}

/** Reads the run. Fails unless it is in this state; `problem` explains the failure. */
export async function expectRunState(
  t: ServerContext,
  runId: string,
  state: Run['state'],
  problem?: string,
): Promise<Run> {
  const run = await readRun(t, runId)
  assert.equal(run.state, state, `${prefixOf(problem)}run ${runId} is ${run.state} instead of ${state}`)
  return run
}

/** Waits until the run has ended. Fails unless it ended in this state; `problem` explains the failure. */
export async function expectRunEnd(
  t: ServerContext,
  runId: string,
  state: Run['state'],
  problem?: string,
): Promise<Run> {
  const run = await t.runEnded(runId)
  const error = run.result?.error
  const cause = error === undefined || error === null ? '' : ` (${JSON.stringify(error).slice(0, 200)})`
  assert.equal(run.state, state, `${prefixOf(problem)}run ${runId} ended as ${run.state}${cause} instead of ${state}`)
  return run
}

const prefixOf = (problem: string | undefined): string => (problem === undefined ? '' : `${problem}: `)

/** Cancels a run of `me` and waits until it has ended. */
export async function cancelRun(t: ServerContext, runId: string): Promise<Run> {
  expectStatus(await t.me.cancel(runId), 202)
  return t.runEnded(runId)
}

/** Completes a run in another conversation of the same device, which proves that the device takes and executes work. */
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
