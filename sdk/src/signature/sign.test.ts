import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { signedHeaders, signPayload } from './sign.ts'

const body = new TextEncoder().encode('{"text":"Grüße"}')

it('[SIG-09] [SIG-10] signs ID, dot, timestamp, dot and the raw bytes with the literal text of the secret', async () => {
  const secret = 'c0ffee00'
  const hex = createHmac('sha256', Buffer.from(secret)).update('evt_1.1767225600.').update(body).digest('hex')
  expect(await signPayload({ id: 'evt_1', timestamp: 1_767_225_600, body, secret })).toBe(`v1,${hex}`)
})

it('[SIG-06] returns the four headers of a delivery, with the time in whole seconds', async () => {
  const now = new Date('2026-01-01T00:00:00.999Z')
  const signature = await signPayload({ id: 'evt_1', timestamp: 1_767_225_600, body, secret: 's' })
  expect(await signedHeaders({ id: 'evt_1', body, secret: 's', now })).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1767225600',
    'webhook-signature': signature,
  })
})

it.each(['', 'evt 1', 'e'.repeat(129), 'evt_é', 'evt\n'])('does not sign for an invalid ID: %j', async (id) => {
  await expect(signedHeaders({ id, body, secret: 's', now: new Date(0) })).rejects.toThrow(RangeError)
})

it('does not sign with an empty secret', async () => {
  await expect(signPayload({ id: 'e', timestamp: 0, body, secret: '' })).rejects.toThrow(/secret is empty/)
})
