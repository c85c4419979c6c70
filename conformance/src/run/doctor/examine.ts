import { randomUUID } from 'node:crypto'
import { examineRefusals } from './examine-refusals.ts'
import { examineStreams } from './examine-streams.ts'
import { examineTransport } from './examine-transport.ts'
import type { Finding } from './finding.ts'
import type { PatientOptions } from './patient.ts'
import { createPatient, textIn } from './patient.ts'

/** Examines a deployment from outside, and yields each finding as it is made. */
export async function* examine(options: PatientOptions): AsyncGenerator<Finding> {
  const patient = createPatient(options)
  const reachable = yield* examineTransport(patient)
  if (!reachable) return
  yield* examineRefusals(patient)
  const { key, endpointId } = options
  if (key === undefined || endpointId === undefined) {
    yield {
      kind: 'unknown',
      subject: 'event streams',
      seen: 'not looked at, since that takes a key and a service',
      remedy: 'Give --key and --service.',
    }
    return
  }
  const created = await patient.ask(
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
  yield* examineStreams(patient, conversationId)
}
