import { describe, expect, it } from 'vitest'
import type { CallbackTargets } from '../domain/callback-url.ts'
import type { SecretBox } from '../domain/secret-box.ts'
import { createSecretBox } from '../domain/secret-box.ts'
import { signPayload } from '../domain/webhook-signature.ts'
import { sealCallbackSecret } from '../gateway/secrets/signing-secret.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import { createAttempt } from './attempt.ts'
import type { OutgoingPost } from './guarded-connect.ts'

const NOW = new Date('2026-03-01T12:00:00.999Z')
const SECRETS = createSecretBox(Buffer.alloc(32, 1))
const ALLOWED: CallbackTargets = { hosts: new Set(['orders.example.com']), devOrigins: new Set() }
const BODY = '{"event_id":"evt_1","text":"schön"}'

const DELIVERY: ClaimedDelivery = {
  appId: 'app',
  callbackId: 'cb_1',
  eventId: 'evt_1',
  deliveryId: 'dlv_1',
  attempts: 1,
  attemptsEver: 1,
  expiresAt: NOW,
  body: BODY,
  url: 'https://orders.example.com/events',
  sealedQuery: null,
  sealedSecret: sealCallbackSecret(SECRETS, 'cb_1', 'the secret'),
  traceparent: null,
}

interface Circumstances {
  readonly callbackTargets?: CallbackTargets
  readonly secrets?: SecretBox | null
  readonly callbackId?: string
}

const attempt = async ({ callbackTargets = ALLOWED, secrets = SECRETS, ...more }: Circumstances = {}) => {
  const posted: (OutgoingPost & { readonly body: Uint8Array })[] = []
  const send = createAttempt({ clock: { now: () => NOW }, secrets, callbackTargets }, async (post) => {
    posted.push(post)
    return { kind: 'answered', status: 204, retryAfter: null, excerpt: '' }
  })
  return { result: await send({ ...DELIVERY, ...more }, new AbortController().signal), posted }
}

describe('an attempt', () => {
  it('sends the stored bytes with the headers of a callback, signed now [CB-16, SIG-07]', async () => {
    const { result, posted } = await attempt()
    expect(result.kind).toBe('answered')
    const body = Buffer.from(BODY)
    expect(posted).toEqual([
      {
        url: new URL('https://orders.example.com/events'),
        isExempt: false,
        body,
        headers: {
          'content-type': 'application/json',
          'content-length': body.byteLength,
          'user-agent': 'conversation-gateway',
          'webhook-id': 'evt_1',
          'webhook-timestamp': '1772366400',
          'webhook-signature': signPayload({ id: 'evt_1', timestamp: '1772366400', body }, 'the secret'),
        },
      },
    ])
  })

  it('is blocked before it sends anything if the host is not allowed any more [CB-08, CB-10]', async () => {
    const { result, posted } = await attempt({ callbackTargets: { hosts: new Set(), devOrigins: new Set() } })
    expect(result).toMatchObject({
      kind: 'blocked',
      message: expect.stringContaining('SERVICE_GATEWAY_CALLBACK_HOSTS'),
    })
    expect(posted).toEqual([])
  })

  it.each([
    ['with another key', createSecretBox(Buffer.alloc(32, 2))],
    ['without a key', null],
  ])('%s sends nothing, and its error names the setting to restore', async (_, secrets) => {
    const { result, posted } = await attempt({ secrets })
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('GATEWAY_SECRET_KEY') })
    expect(posted).toEqual([])
  })

  it('does not use the secret of another configuration', async () => {
    const { result } = await attempt({ callbackId: 'cb_2' })
    expect(result.kind).toBe('failed')
  })
})
