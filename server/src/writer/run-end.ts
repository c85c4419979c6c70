import type { RunUsage } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { momentOfId } from '@conversation-gateway/openapi/behaviour/ids'
import type { TerminalState } from '@conversation-gateway/openapi/behaviour/run-state'
import { isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Traceparent } from '../domain/trace-context.ts'

/** A run that has ended. */
export interface RunEnd {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
  readonly endpointId: string
  readonly state: TerminalState
  /** Why it failed; null if it did not. */
  readonly errorCode: string | null
  /** The time from admission to end; null if its ID does not contain the time of admission. */
  readonly seconds: number | null
  readonly traceparent: Traceparent | null
  /** Its usage; null if its assistant did not report it. */
  readonly usage: RunUsage | null
}

/** The runs that a draft has ended. */
export const runEndsOf = (
  { work, changedRuns, now }: Draft,
  traceparents: ReadonlyMap<string, Traceparent>,
): RunEnd[] =>
  [...changedRuns].flatMap(({ runId, state, result }) => {
    if (!isTerminal(state)) return []
    const { appId, conversationId, endpointId } = work
    const admitted = momentOfId(runId)
    const seconds = admitted === null ? null : Math.max(0, now.getTime() - admitted.getTime()) / 1000
    const traceparent = traceparents.get(runId) ?? null
    const errorCode = result?.error?.code ?? null
    const usage = result?.usage ?? null
    return [{ appId, conversationId, runId, endpointId, state, errorCode, seconds, traceparent, usage }]
  })
