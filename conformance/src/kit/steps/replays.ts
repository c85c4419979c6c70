import assert from 'node:assert/strict'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'

/** The header of a repeated answer. */
export const REPLAYED = 'idempotency-replayed'

/** Fails unless the answer repeats the first one and has the header. */
export function expectReplay(what: string, again: Answer, first: Answer): void {
  assert.equal(again.status, first.status, `${what}: the repeat has another status: ${again.text.slice(0, 300)}`)
  assert.deepEqual(again.body, first.body, `${what}: the repeat has another body`)
  assert.equal(again.headers[REPLAYED], 'true', `${what}: the repeat does not carry Idempotency-Replayed: true`)
}

/** Fails if the answer has the header. */
export function expectFirst(what: string, answer: Answer): void {
  expectStatus(answer, 200, 201, 202)
  assert.equal(answer.headers[REPLAYED], undefined, `${what}: a first answer carries Idempotency-Replayed`)
}
