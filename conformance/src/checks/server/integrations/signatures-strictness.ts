import { randomUUID } from 'node:crypto'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, signatureOf } from '../../../kit/server/webhook-sender.ts'

const EVENT = eventOf({ text: 'hello' })
const BODY = JSON.stringify(EVENT)

export const checks: readonly ServerCheck[] = [
  {
    id: 'signatures/one-of-each-header',
    title: 'each signature header is required exactly once: a missing or repeated one answers 401',
    rules: ['SIG-25'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = randomUUID()
      const timestamp = String(Math.floor(t.now() / 1000))
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatureOf(id, timestamp, BODY, integration.secret),
      }
      for (const [name, value] of Object.entries(headers)) {
        for (const wrong of [null, [value, value], [value, 'x'], ['x', value]])
          expectRefusal(
            await deliver(t, integration, BODY, { headers: { ...headers, [name]: wrong } }),
            401,
            'UNAUTHENTICATED',
          )
      }
      expectStatus(await deliver(t, integration, BODY, { headers }), 202)
    },
  },
  {
    id: 'signatures/timestamp-digits',
    title: 'the timestamp consists of ASCII digits only: signs, spaces, fractions and other digits answer 401',
    rules: ['SIG-26'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const now = String(Math.floor(t.now() / 1000))
      const arabic = [...now].map((digit) => String.fromCharCode(0x660 + Number(digit))).join('')
      const inBytes = Buffer.from(arabic).toString('latin1')
      for (const timestamp of [
        `+${now}`,
        `${now}.0`,
        `${now}e0`,
        `${now.slice(0, 5)} ${now.slice(5)}`,
        `${now}s`,
        inBytes,
      ])
        expectRefusal(await deliver(t, integration, BODY, { timestamp }), 401, 'UNAUTHENTICATED')
      expectStatus(await deliver(t, integration, BODY, { timestamp: now }), 202)
    },
  },
  {
    id: 'signatures/signature-exactly',
    title: 'a signature is "v1," and 64 lower-case hex characters: upper case, other lengths and lists answer 401',
    rules: ['SIG-27'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const forms: readonly ((right: string) => string)[] = [
        (right) => right.toUpperCase(),
        (right) => `v1,${right.slice(3).toUpperCase()}`,
        (right) => `V1${right.slice(2)}`,
        (right) => right.replace('v1,', 'v1, '),
        (right) => `${right} ${right}`,
        (right) => `${right},${right}`,
        (right) => `${right};${right}`,
        (right) => `v1,${'0'.repeat(64)} ${right}`,
        (right) => `${right} v2,abc`,
        (right) => right.slice(0, -1),
        (right) => `${right}0`,
        (right) => `v1,0${right.slice(3)}`,
      ]
      for (const signature of forms)
        expectRefusal(await deliver(t, integration, BODY, { signature }), 401, 'UNAUTHENTICATED')
      expectStatus(await deliver(t, integration, BODY), 202)
    },
  },
]
