import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import type { Span, SpanEnd, Tracing } from '../gateway/tracing.ts'
import type { ClaimedRun } from '../store/claims.ts'

/** The spans of a run in a worker's hand, and within it of the call of its assistant. */
export const traceRun = (run: ClaimedRun, tracing: Tracing): { readonly span: Span; callAssistant(): Span } => {
  const { appId, conversationId, runId, endpointId } = run
  const attributes = {
    'conversation_gateway.app_id': appId,
    'conversation_gateway.conversation_id': conversationId,
    'conversation_gateway.run_id': runId,
    'conversation_gateway.endpoint_id': endpointId,
  }
  const span = tracing.begin({ name: 'run', kind: 'consumer', parent: run.traceparent, attributes })
  return {
    span,
    callAssistant: () => tracing.begin({ name: 'assistant', kind: 'client', parent: span.traceparent, attributes }),
  }
}

/** How a run, or the assistant's part in it, has ended. */
export const endOf = (outcome: RunOutcome): SpanEnd => ({
  attributes: { 'conversation_gateway.state': outcome.state },
  ...(outcome.state === 'failed' ? { error: outcome.error.code } : {}),
})
