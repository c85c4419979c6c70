import { randomUUID } from 'node:crypto'
import type { DeploymentOptions } from './deployment.ts'
import { connectTo, textIn } from './deployment.ts'
import { examineRefusals } from './examine-refusals.ts'
import { examineStreams } from './examine-streams.ts'
import { examineTransport } from './examine-transport.ts'
import type { Finding } from './finding.ts'

/** Examines a deployment from outside, and yields each finding as it is made. */
export async function* examine(options: DeploymentOptions): AsyncGenerator<Finding> {
  const deployment = connectTo(options)
  const reachable = yield* examineTransport(deployment)
  if (!reachable) return
  yield* examineRefusals(deployment)
  const { key, endpointId } = options
  if (key === undefined || endpointId === undefined) {
    yield {
      kind: 'unknown',
      subject: 'event streams',
      seen: 'not examined, because this needs a key and a service',
      remedy: 'Pass --key and --service.',
    }
    return
  }
  const created = await deployment.ask(
    'POST',
    '/api/v1/conversations',
    { 'idempotency-key': randomUUID() },
    { endpoint_id: endpointId },
  )
  const conversationId = textIn(created, 'conversation_id')
  if (created.status !== 201 || conversationId === undefined) {
    yield {
      kind: 'bad',
      subject: 'conversation',
      seen: `creating one was answered with ${created.status} ${textIn(created, 'code') ?? ''}`.trim(),
      remedy: 'Check that the key has all four scopes and that the service is published for its application.',
    }
    return
  }
  yield { kind: 'good', subject: 'conversation', seen: 'one was created' }
  yield* examineStreams(deployment, conversationId)
}
