import assert from 'node:assert/strict'
import type { WebhookConfig } from '../../../kit/config/server-config.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { WebhookAnswer } from '../../../kit/server/webhook-sender.ts'
import { deliver, eventOf, integrationOf } from '../../../kit/server/webhook-sender.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'
import { save, saved } from '../../../kit/steps/webhook-administration.ts'

const BODY_BYTES = 1024 * 1024
const SECOND_MS = 1_000
const ATTEMPTS = 50

/** An event of this many bytes, padded with letters in the event or with white space after it. */
function eventOfBytes(bytes: number, letter: string): string {
  if (letter === ' ') return JSON.stringify(eventOf({ text: 'hello' })).padEnd(bytes, ' ')
  const fill = (padding: string) => JSON.stringify({ ...eventOf({ text: 'hello' }), padding })
  const left = bytes - Buffer.byteLength(fill(''))
  const size = Buffer.byteLength(letter)
  return fill(letter.repeat(Math.floor(left / size)) + 'a'.repeat(left % size))
}

/** The gateway's clock in whole seconds, read from a newly created record. */
const gatewaySeconds = async (t: ServerContext): Promise<number> =>
  Math.floor(Date.parse((await t.conversation()).created_at) / SECOND_MS)

/** Delivers with a timestamp that is exactly this many seconds off when the gateway checks it. */
async function deliverWithOffset(
  t: ServerContext,
  integration: WebhookConfig,
  seconds: number,
): Promise<WebhookAnswer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await gatewaySeconds(t)
    const answer = await deliver(t, integration, eventOf({ text: 'hello' }), { timestamp: String(before + seconds) })
    if ((await gatewaySeconds(t)) === before) return answer
  }
  return t.untestable(`the second of the gateway’s clock changed during each of ${ATTEMPTS} deliveries`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/webhook-body-of-1-mebibyte',
    title: 'a webhook body of exactly 1 MiB is accepted, one byte more is refused, counted in bytes as sent',
    rules: ['LIMIT-02'],
    tags: ['limit'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      for (const letter of [' ', 'd', 'é']) {
        const tooLarge = await deliver(t, integration, eventOfBytes(BODY_BYTES + 1, letter))
        assert.ok(
          tooLarge.status === 413 || tooLarge.status === 400,
          `1 MiB and one byte, padded with "${letter}", was answered with ${tooLarge.status}`,
        )
        expectStatus(await deliver(t, integration, eventOfBytes(BODY_BYTES, letter)), 202)
      }
    },
  },
  {
    id: 'limits/webhook-id-length',
    title: 'a webhook-id of 1 and of 128 characters is accepted; of 0 and of 129, or with a space, refused',
    rules: ['LIMIT-07'],
    tags: ['limit'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const event = eventOf({ text: 'hello' })
      const unique = t.fresh('event')
      for (const length of [127, 128])
        expectStatus(await deliver(t, integration, event, { id: unique.padEnd(length, '~') }), 202)
      for (const id of [unique.padEnd(129, '~'), unique.padEnd(256, '~'), '', `${unique} x`, `${unique}é`]) {
        const { status } = await deliver(t, integration, event, { id })
        assert.ok(status >= 400 && status < 500, `the webhook-id "${id}" was answered with ${status}`)
      }
      // An earlier execution of the suite may have sent one of these already, with this or another body.
      for (const id of ['!', '0', 'z', '~']) expectStatus(await deliver(t, integration, event, { id }), 202, 409)
    },
  },
  {
    id: 'limits/webhook-timestamp-tolerance',
    title: 'a webhook timestamp is accepted up to 300 seconds away in either direction, and refused beyond',
    rules: ['LIMIT-17'],
    tags: ['limit', 'security'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      // -300 is not tested: a timestamp counts whole seconds, so that one may already be almost 301 seconds old.
      for (const seconds of [0, 299, 300, -299]) {
        const { status, text } = await deliverWithOffset(t, integration, seconds)
        assert.equal(status, 202, `a timestamp ${seconds} seconds off was refused: ${text}`)
      }
      for (const seconds of [301, -301, 302, -302]) {
        const { status } = await deliverWithOffset(t, integration, seconds)
        assert.equal(status, 401, `a timestamp ${seconds} seconds off was answered with ${status}`)
      }
    },
  },
  {
    id: 'limits/webhook-path-of-five-segments',
    title: 'a webhook field path of 5 segments selects its value',
    rules: ['LIMIT-20'],
    tags: ['limit'],
    needs: ['webhooks.deepPaths'],
    run: async (t) => {
      const integration = integrationOf(t, 'deepPaths')
      const event = { t: 'conformance.event', k: t.fresh('order'), a: { b: { c: { d: { e: 'deep' } } } } }
      expectStatus(await deliver(t, integration, event), 202)
      expectRefusal(await deliver(t, integration, { ...event, a: { b: { c: { d: 'not deep enough' } } } }), 400)
    },
  },
  {
    id: 'limits/webhook-path-of-six-segments',
    title: 'an integration with a field path of 5 segments can be saved, one with 6 segments cannot',
    rules: ['LIMIT-20'],
    tags: ['limit'],
    needs: ['driver.saveWebhook'],
    run: async (t) => {
      for (const field of ['eventTypeField', 'messageField', 'dataField', 'resourceIdsField']) {
        await saved(t, { [field]: 'one.two.three.four.five' })
        expectRefused(await save(t, { [field]: 'one.two.three.four.five.six' }), `six segments as ${field}`)
      }
    },
  },
]
