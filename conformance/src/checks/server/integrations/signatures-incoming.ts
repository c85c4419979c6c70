import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, signatureOf } from '../../../kit/server/webhook-sender.ts'

const EVENT = eventOf({ text: 'hello' })
/** Printable ASCII without the space. */
const PRINTABLE = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at)).join('')

export const checks: readonly ServerCheck[] = [
  {
    id: 'signatures/webhook-id-form',
    title: 'a webhook-id of 1 to 128 printable ASCII characters without spaces is accepted, and any other is refused',
    rules: ['SIG-01'],
    tags: ['limit'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const unique = t.fresh('e')
      for (const id of [unique, unique.padEnd(127, 'x'), unique.padEnd(128, 'x'), `${PRINTABLE}${unique}`.slice(-128)])
        expectStatus(await deliver(t, integration, EVENT, { id }), 202)
      const single = String.fromCharCode(0x21 + Math.floor(t.now() % PRINTABLE.length))
      expectStatus(await deliver(t, integration, EVENT, { id: single }), 202, 409)
      for (const id of [unique.padEnd(129, 'x'), '', 'two words', 'tab\there', 'd\u00e9j\u00e0'])
        expectStatus(await deliver(t, integration, EVENT, { id }), 400, 401)
    },
  },
  {
    id: 'signatures/timestamp-form',
    title: 'a timestamp that is not a Unix time in seconds is refused with 401',
    rules: ['SIG-02'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const seconds = Math.floor(t.now() / 1000)
      expectStatus(await deliver(t, integration, EVENT, { timestamp: String(seconds) }), 202)
      for (const timestamp of [
        String(seconds * 1000),
        new Date(t.now()).toISOString(),
        new Date(t.now()).toUTCString(),
        `0x${seconds.toString(16)}`,
        '0',
        '',
        'now',
        'NaN',
        `-${seconds}`,
      ])
        expectRefusal(await deliver(t, integration, EVENT, { timestamp }), 401)
    },
  },
  {
    id: 'signatures/signature-form',
    title:
      'a signature in any form other than "v1," and 64 lower-case hex characters is refused with 401, and so is a list of signatures',
    rules: ['SIG-03', 'SIG-24'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const base64 = (right: string) => Buffer.from(right.slice(3), 'hex').toString('base64')
      const forms: readonly ((right: string) => string)[] = [
        (right) => right.slice(3),
        (right) => right.replace('v1,', 'v2,'),
        (right) => right.replace('v1,', 'v0,'),
        (right) => right.replace('v1,', 'v1a,'),
        (right) => right.replace('v1,', 'v1='),
        (right) => right.replace('v1,', 'sha256='),
        (right) => right.replace('v1,', 'v1'),
        (right) => right.slice(0, -1),
        (right) => right.slice(0, -2),
        (right) => `${right}0`,
        (right) => `${right} ${right}`,
        (right) => `${right},${right}`,
        (right) => `v1,${'0'.repeat(64)} ${right}`,
        (right) => `${right} v2,abc`,
        (right) => `v1,${right.slice(3).toUpperCase()}`,
        (right) => `v1,${base64(right)}`,
        () => 'v1,',
        () => '',
      ]
      for (const signature of forms) expectRefusal(await deliver(t, integration, EVENT, { signature }), 401)
      expectStatus(await deliver(t, integration, EVENT, { signature: (right) => right }), 202)
    },
  },
  {
    id: 'signatures/content-type',
    title: 'an incoming webhook with a content type other than JSON is refused',
    rules: ['SIG-04'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      for (const contentType of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', null]) {
        const { status } = await deliver(t, integration, EVENT, { contentType })
        assert.ok(status >= 400 && status < 500, `content type ${contentType} must be refused, but got ${status}`)
      }
      expectStatus(await deliver(t, integration, EVENT, { contentType: 'application/json' }), 202)
    },
  },
  {
    id: 'signatures/signed-bytes',
    title: 'the signature covers event ID, timestamp and body, joined by dots; a change to any of them is refused',
    rules: ['SIG-07'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { secret } = integration
      const [id, timestamp] = [t.fresh('event'), String(Math.floor(t.now() / 1000))]
      const body = JSON.stringify(eventOf({ text: 'schön \u{1F600}' }))
      const hmac = (text: string) => `v1,${createHmac('sha256', secret).update(text).digest('hex')}`
      for (const signature of [
        signatureOf(`${id}x`, timestamp, body, secret),
        signatureOf(id, String(Number(timestamp) - 1), body, secret),
        signatureOf(id, timestamp, `${body} `, secret),
        hmac(body),
        hmac(`${timestamp}.${body}`),
        hmac(`${id}.${body}`),
        hmac(`${timestamp}.${id}.${body}`),
        hmac(`${id}.${timestamp}${body}`),
        hmac(`${id}:${timestamp}:${body}`),
        hmac(`${id}.${timestamp}.`),
        hmac(`${id}.${timestamp}.${Buffer.from(body).toString('base64')}`),
      ])
        expectRefusal(await deliver(t, integration, body, { id, timestamp, signature }), 401)
      // The position of a dot must be unambiguous: `a.1` + `2` is not `a` + `1.2`.
      const shifted = hmac(`${id}.${timestamp}.${body}`)
      const moved = { id: `${id}.${timestamp}`, timestamp, signature: shifted }
      expectRefusal(await deliver(t, integration, body, moved), 401)
      expectStatus(await deliver(t, integration, body, { id, timestamp, signature: shifted }), 202)
    },
  },
  {
    id: 'signatures/key-is-the-literal-text',
    title: 'the key is the literal text of the secret: its decoded, shortened or trimmed forms are refused',
    rules: ['SIG-08'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { secret } = integration
      const bare = secret.replace(/^[^_]*_/, '')
      const { id, timestamp } = { id: t.fresh('event'), timestamp: String(Math.floor(t.now() / 1000)) }
      const wrongKeys: (string | Buffer)[] = [
        Buffer.from(bare, 'hex'),
        Buffer.from(bare, 'base64'),
        Buffer.from(secret, 'base64'),
        createHash('sha256').update(secret).digest('hex'),
        secret.slice(0, -1),
        `${secret}\n`,
        ...(bare === secret ? [] : [bare]),
        '',
      ]
      if (secret.toUpperCase() !== secret) wrongKeys.push(secret.toUpperCase())
      for (const wrong of wrongKeys)
        expectRefusal(await deliver(t, integration, EVENT, { id, timestamp, secret: wrong }), 401)
      const sha512 = createHmac('sha512', secret)
        .update(`${id}.${timestamp}.${JSON.stringify(EVENT)}`)
        .digest('hex')
      expectRefusal(
        await deliver(t, integration, EVENT, { id, timestamp, signature: `v1,${sha512.slice(0, 64)}` }),
        401,
      )
      expectStatus(await deliver(t, integration, EVENT, { id, timestamp }), 202)
    },
  },
  {
    id: 'signatures/one-digit-decides',
    title: 'a signature with one changed digit is refused',
    rules: ['SIG-08'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      await Promise.all(
        [0, 1, 15, 16, 31, 32, 47, 62, 63].map(async (at) => {
          const signature = (right: string) => {
            const place = 3 + at
            return `${right.slice(0, place)}${right[place] === '0' ? '1' : '0'}${right.slice(place + 1)}`
          }
          expectRefusal(await deliver(t, integration, EVENT, { signature }), 401)
        }),
      )
    },
  },
  {
    id: 'signatures/timestamp-tolerance',
    title:
      'a timestamp is accepted up to 300 seconds away from the server’s clock in both directions, and refused beyond',
    rules: ['SIG-12'],
    tags: ['limit', 'security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      // The clocks of suite and server may differ by a second or two, and requests take time.
      for (const aheadSeconds of [-285, -60, 60, 285])
        expectStatus(await deliver(t, integration, EVENT, { aheadSeconds }), 202)
      for (const aheadSeconds of [-315, -600, -3600, 315, 600, 3600, 86_400])
        expectRefusal(await deliver(t, integration, EVENT, { aheadSeconds }), 401)
    },
  },
  {
    id: 'signatures/repeat-with-new-signature',
    title:
      'a repeat with a new timestamp and signature is the same event; an old signature does not bypass the timestamp check',
    rules: ['SIG-18'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const id = t.fresh('event')
      const runs = new Set<string>()
      for (const aheadSeconds of [-120, -60, 0, 60])
        runs.add(expectStatus(await deliver(t, integration, EVENT, { id, aheadSeconds }), 202).body.run_id)
      assert.equal(runs.size, 1, 'deliveries of one event created several runs')
      expectRefusal(await deliver(t, integration, EVENT, { id, aheadSeconds: -900 }), 401)
      expectRefusal(await deliver(t, integration, EVENT, { id, secret: 'whsec_wrong' }), 401)
    },
  },
  {
    id: 'signatures/raw-bytes',
    title:
      'the signature is verified over the received bytes: unusual spacing, order, escapes and numbers are accepted',
    rules: ['SIG-19'],
    tags: ['security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const inner = '"type" : "conformance.event",\r\n\t"text":"h\\u0065llo \\/ \\ud83d\\ude00"'
      const raw = ` { "n" : 1.0e2, "n2": 10000000000000000001, "event" : { ${inner} } , "b":1, "a":2 }\n`
      expectStatus(await deliver(t, integration, raw), 202)
      expectRefusal(await deliver(t, integration, raw, { signedBody: JSON.stringify(JSON.parse(raw)) }), 401)
      const compact = JSON.stringify(EVENT)
      for (const signedBody of [JSON.stringify(EVENT, null, 2), `${compact}\n`, compact.slice(0, -1), ''])
        expectRefusal(await deliver(t, integration, compact, { signedBody }), 401)
    },
  },
]
