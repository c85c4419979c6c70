import type { RunUsage } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import type { Draft } from '@conversation-gateway/openapi/behaviour/conversation-work'
import { momentOfId } from '@conversation-gateway/openapi/behaviour/ids'
import type { TerminalState } from '@conversation-gateway/openapi/behaviour/run-state'
import { isTerminal } from '@conversation-gateway/openapi/behaviour/run-state'
import type { Traceparent } from '../domain/trace-context.ts'

/** A run that has ended, by whatever hand. */
export interface RunEnd {
  readonly appId: string
  readonly conversationId: string
  readonly runId: string
  readonly endpointId: string
  readonly state: TerminalState
  /** Why it failed; null where it did not. */
  readonly errorCode: string | null
  /** From its admission to its end; null where its ID does not tell when it was admitted. */
  readonly seconds: number | null
  readonly traceparent: Traceparent | null
  /** What it has used; null where its assistant does not say. */
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
