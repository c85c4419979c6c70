import type { Snapshot } from '../../generated/gateway.ts'
import type { Caller } from './caller.ts'
import { TERMINAL_STATES } from './context.ts'

/**
 * Cancels what a check left unfinished, so that it counts against no limit of the checks that follow. What it cannot
 * reach is left: the check has its verdict by now.
 */
export async function endUnfinishedWork(worked: ReadonlyMap<string, Caller>): Promise<void> {
  await Promise.all(
    [...worked].map(async ([conversationId, caller]) => {
      try {
        const { status, body } = await caller.snapshot(conversationId)
        if (status !== 200) return
        await Promise.all(unfinishedRuns(body).map((runId) => caller.cancel(runId)))
      } catch {
        // A server that answers nonsense has failed the check already.
      }
    }),
  )
}

const unfinishedRuns = ({ runs }: Snapshot): string[] =>
  runs.filter(({ state }) => !TERMINAL_STATES.has(state)).map(({ run_id }) => run_id)
