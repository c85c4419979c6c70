import type { Admitted, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { CancelRuns, RunCancellations } from '@conversation-gateway/openapi/generated/admin-closed'
import type { StoppableRun } from '../../store/admin/runs.ts'
import { listStoppableRuns } from '../../store/admin/runs.ts'
import type { GatewayContext } from '../context.ts'
import type { StoppedRuns } from './cancel-work.ts'
import { stopRuns } from './cancel-work.ts'
import { changed } from './outcomes.ts'
import { readRunFilter } from './runs.ts'

/** Maximum runs examined by one request. */
const MOST = 1000
/** Conversations changed concurrently, so that the writer can batch them without starving others. */
const AT_ONCE = 50

/** Stops the unfinished runs that match, newest first; unless `dry_run` is false, it only counts them. */
export const cancelMany = async (
  context: GatewayContext,
  { dry_run: dryRun = true, ...narrowing }: CancelRuns,
): Promise<Admitted<RunCancellations> | Refusal> => {
  if (Object.keys(narrowing).length === 0) return NOT_NARROWED
  const filter = await readRunFilter(context.db, narrowing, context.clock.now())
  if ('kind' in filter) return filter
  const runs = await listStoppableRuns(context.db, filter, MOST)
  const { cancelled, stopping } = dryRun ? countRuns(runs) : await stopAll(context, runs, narrowing.state)
  const last = runs.length < MOST ? undefined : runs.at(-1)
  return changed({
    dry_run: dryRun,
    matching: runs.length,
    cancelled,
    stopping,
    more: last !== undefined,
    next_before: last?.runId ?? null,
  })
}

const NOT_NARROWED = refuse('INVALID_REQUEST', 'Say which runs to cancel; older_than_seconds 0 selects all.', {
  faults: [{ pointer: '', message: 'must have a member that selects runs' }],
})

const countRuns = (runs: readonly StoppableRun[]): StoppedRuns => {
  const cancelled = runs.filter(({ state }) => state === 'queued').length
  return { cancelled, stopping: runs.length - cancelled }
}

/** @param state Skips runs that are not in this state any more. */
const stopAll = async (
  context: GatewayContext,
  runs: readonly StoppableRun[],
  state: CancelRuns['state'],
): Promise<StoppedRuns> => {
  const conversations = [...Map.groupBy(runs, ({ appId, conversationId }) => `${appId} ${conversationId}`).values()]
  const sum = { cancelled: 0, stopping: 0 }
  for (let at = 0; at < conversations.length; at += AT_ONCE) {
    const stopped = await Promise.all(
      conversations.slice(at, at + AT_ONCE).flatMap((found) => {
        const [first] = found
        if (first === undefined) return []
        const ids = new Set(found.map(({ runId }) => runId))
        return [stopRuns(context, first, (run) => ids.has(run.runId) && (state === undefined || run.state === state))]
      }),
    )
    for (const { cancelled, stopping } of stopped) {
      sum.cancelled += cancelled
      sum.stopping += stopping
    }
  }
  return sum
}
