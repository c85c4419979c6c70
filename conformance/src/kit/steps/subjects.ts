import assert from 'node:assert/strict'
import type { ServerContext } from '../server/context.ts'
import { expectRefusal, expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { utf8Header } from '../utf8-header.ts'
import type { RecordIds } from './records.ts'
import { ask, bearerRoutes } from './routes.ts'

export const SUBJECT_HEADER = 'x-service-subject'

/** Creates a conversation with this value of the header. A list is sent as several lines; null omits the header. */
export const createAs = (t: ServerContext, subject: string | readonly string[] | null) =>
  t.me.createConversation({ endpoint_id: t.config.services.main }, { headers: { [SUBJECT_HEADER]: subject } })

/** Fails unless each subject creates a conversation that shows it, and that only it can read. */
export async function expectDistinct(t: ServerContext, subjects: readonly string[]): Promise<void> {
  const made = await Promise.all(subjects.map((subject) => createAs(t, utf8Header(subject))))
  for (const [at, answer] of made.entries()) {
    const { conversation_id: id, subject } = expectStatus(answer, 201).body
    assert.equal(subject, subjects[at])
    for (const [other, reader] of subjects.entries())
      expectStatus(await t.caller({ subject: reader }).snapshot(id), other === at ? 200 : 404)
  }
}

/** Fails unless every bearer route refuses this value of the header and names the header. */
export async function expectNamedEverywhere(
  t: ServerContext,
  ids: RecordIds,
  subject: string | null,
  what: string,
): Promise<void> {
  for (const route of bearerRoutes(t))
    expectSubjectNamed(
      await ask(t.me, route, ids, { headers: { [SUBJECT_HEADER]: subject } }),
      `${route.name}: ${what}`,
    )
}

/** Fails unless the answer is a 400 that names the header among its faults. */
export function expectSubjectNamed(answer: Answer, what: string): void {
  expectRefusal(answer, 400, 'INVALID_REQUEST')
  const { errors } = Object(answer.body)
  const pointers = Array.isArray(errors) ? errors.map(({ pointer }) => String(pointer).toLowerCase()) : []
  assert.ok(pointers.includes(SUBJECT_HEADER), `${what}: the faults are at ${pointers.join(', ')}, not at the header`)
}
