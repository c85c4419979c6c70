import type { WorkerAssistant, WorkerOutcome } from '@conversation-gateway/sdk/worker'
import { RunInterruptedError } from '@conversation-gateway/sdk/worker'
import type { AssistantOutcome, AssistantSource } from '../assistants/assistant.ts'
import { RunFailure } from './drive-assistant.ts'

/**
 * Executes published assistants (D-44) in a worker that reaches the gateway over HTTP (D-67). Script steps that
 * simulate a faulty device (D-45) fail the run, because they apply only to the gateway's own device role.
 */
export const createRemoteAssistant = (assistants: AssistantSource): WorkerAssistant =>
  async function* (request) {
    const steps = assistants(request.assistant)({
      ...request,
      createResource: ({ content, ...resource }) =>
        request.createResource({ ...resource, content: new Uint8Array(content) }),
    })
    try {
      let reply: 'approved' | 'denied' | undefined
      for (;;) {
        const turn = await steps.next(reply)
        if (turn.done === true) return turn.value === undefined ? undefined : workerOutcome(turn.value)
        const step = turn.value
        if (!('delta' in step || 'message' in step || 'activity' in step || 'approval' in step))
          throw new Error(`A device that reaches the gateway over HTTP cannot simulate ${Object.keys(step).join()}.`)
        reply = yield step
      }
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error
      const { outcome } = error
      if (outcome.state === 'succeeded' || outcome.state === 'failed') return workerOutcome(outcome)
      throw new RunInterruptedError('the process of the assistant is gone')
    } finally {
      await steps.return(undefined)
    }
  }

const workerOutcome = (outcome: AssistantOutcome): WorkerOutcome =>
  outcome.state === 'failed' ? { state: 'failed', error: { ...outcome.error } } : outcome
