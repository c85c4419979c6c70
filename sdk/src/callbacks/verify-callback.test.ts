import { expect, expectTypeOf, it } from 'vitest'
import type { EventEnvelope } from '../generated/gateway.ts'
import { signCallback } from './sign-callback.ts'
import { verifyCallback } from './verify-callback.ts'

const secret = 'callback-secret'
const completed = {
  conversation_id: 'conv_1',
  generation: 1,
  event_id: 'evt_1',
  seq: 4,
  run_id: 'run_1',
  message_id: 'msg_1',
  type: 'run.completed',
  payload: { state: 'succeeded', result: { text: 'Hello' } },
} as const satisfies EventEnvelope

it('returns the event of a callback, typed by its `type`', async () => {
  const event = await verifyCallback({ ...(await signCallback(completed, { secret })), secret })
  expectTypeOf(event).toEqualTypeOf<EventEnvelope>()
  expect(event).toEqual(completed)
  expect(event.type === 'run.completed' && event.payload.result.text).toBe('Hello')
})

it('returns events of unknown types', async () => {
  const later = { ...completed, type: 'run.annotated', payload: { note: 'new' } }
  expect(await verifyCallback({ ...(await signCallback(later, { secret })), secret })).toEqual(later)
})

it('[CB-36] checks the signature before the body', async () => {
  const { headers } = await signCallback(completed, { secret })
  const body = new TextEncoder().encode('no JSON')
  await expect(verifyCallback({ headers, body, secret })).rejects.toMatchObject({
    reason: 'wrong_signature',
  })
})

it('signs for the given time', async () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const callback = await signCallback(completed, { secret, now })
  expect(callback.headers['webhook-timestamp']).toBe('1767225600')
  expect(await verifyCallback({ ...callback, secret, now })).toEqual(completed)
  await expect(verifyCallback({ ...callback, secret })).rejects.toMatchObject({ reason: 'too_old' })
})
