import assert from 'node:assert/strict'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

export const SUBJECT_HEADER = 'x-service-subject'

/** Creates a conversation with this value of the header. A list is sent as several lines; null omits the header. */
export const createAs = (t: ServerContext, subject: string | readonly string[] | null) =>
  t.me.createConversation({ endpoint_id: t.config.services.main }, { headers: { [SUBJECT_HEADER]: subject } })

/** Fails unless the answer is a 400 that names the header among its faults. */
export function expectSubjectNamed(answer: Answer, what: string): void {
  expectRefusal(answer, 400, 'INVALID_REQUEST')
  const { errors } = Object(answer.body)
  const pointers = Array.isArray(errors) ? errors.map(({ pointer }) => String(pointer).toLowerCase()) : []
  assert.ok(pointers.includes(SUBJECT_HEADER), `${what}: the faults are at ${pointers.join(', ')}, not at the header`)
}
