import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { deliver, eventOf, integrationOf, subjectOf } from '../../../kit/server/webhook-sender.ts'
import { whileAppIsDisabled, whileDeviceIsDisabled } from '../../../kit/steps/suspensions.ts'
import { accept } from '../../../kit/steps/webhooks.ts'

const MEBIBYTE = 1024 * 1024

export const checks: readonly ServerCheck[] = [
  {
    id: 'webhooks/body-limit',
    title: 'a body of exactly 1 MiB is accepted, one byte more is refused with 413, measured in bytes',
    rules: ['HOOK-02', 'HOOK-44'],
    tags: ['limit'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const parts = { ...eventOf({ text: 'hello' }), padding: '' }
      const left = MEBIBYTE - Buffer.byteLength(JSON.stringify(parts))
      const padded = JSON.stringify({ ...parts, padding: `${'é'.repeat(left >> 1)}${'x'.repeat(left % 2)}` })
      assert.equal(Buffer.byteLength(padded), MEBIBYTE)
      await accept(t, integration, padded)
      expectRefusal(await deliver(t, integration, `${padded} `), 413)
      expectRefusal(await deliver(t, integration, padded.replace('"padding":"', '"padding":"x')), 413)
    },
  },
  {
    id: 'webhooks/body-is-an-object',
    title: 'a body that is not a JSON object is refused with 400',
    rules: ['HOOK-02', 'HOOK-43'],
    needs: ['webhooks.new'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const good = JSON.stringify(eventOf({ text: 'hello' }))
      for (const body of ['', 'hello', '[]', `[${good}]`, '"text"', 'null', '7', 'true', `${good}${good}`, `${good},`])
        expectRefusal(await deliver(t, integration, body), 400)
      expectRefusal(await deliver(t, integration, good.slice(0, -1)), 400)
      // The specification does not define whether invalid UTF-8 is refused or replaced.
      if (t.profile === 'core') return
      const broken = Buffer.from(good)
      broken[good.indexOf('hello')] = 0xff
      expectRefusal(await deliver(t, integration, broken), 400)
    },
  },
  {
    id: 'webhooks/integration-id',
    title: 'a webhook is reached only by its own ID: other IDs, including those of services, answer 404',
    rules: ['HOOK-01', 'HOOK-40'],
    tags: ['security'],
    needs: ['webhooks.new', 'webhooks.messageByKey'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      const { integrationId } = integration
      const { main, foreign } = t.config.services
      for (const id of [main, foreign, 'wh_nobody', integrationId.toUpperCase(), `${integrationId}x`].filter(
        (other) => other !== integrationId,
      ))
        expectRefusal(await deliver(t, { ...integration, integrationId: id }, eventOf({ text: 'hello' })), 404)
      const other = integrationOf(t, 'messageByKey')
      const crossed = { ...integration, integrationId: other.integrationId }
      expectRefusal(await deliver(t, crossed, eventOf({ text: 'hello', key: t.fresh() })), 401)
    },
  },
  {
    id: 'webhooks/disabled-integration',
    title: 'a disabled integration refuses its events with 403 and does nothing',
    rules: ['HOOK-15', 'HOOK-39'],
    needs: ['webhooks.disabled'],
    run: async (t) => {
      const integration = integrationOf(t, 'disabled')
      const key = t.fresh('order')
      const owner = subjectOf(t, integration)
      const { conversation_id } = await t.conversation({ conversation_key: key }, owner)
      expectRefusal(await deliver(t, integration, eventOf({ text: 'hello', key })), 403)
      const { messages, runs } = expectStatus(await owner.snapshot(conversation_id), 200).body
      assert.deepEqual([messages.length, runs.length], [0, 0])
    },
  },
  {
    id: 'webhooks/disabled-application',
    title: 'events are refused with 403 while their application is disabled, and accepted again afterwards',
    rules: ['HOOK-39'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.disableApp', 'driver.enableApp'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      await whileAppIsDisabled(t, 'first', async () => {
        expectRefusal(await deliver(t, integration, eventOf({ text: 'hello' })), 403)
      })
      await accept(t, integration, eventOf({ text: 'hello' }))
    },
  },
  {
    id: 'webhooks/disabled-device',
    title: 'events are refused while the device of their service is disabled',
    rules: ['HOOK-39'],
    alone: 'all',
    needs: ['webhooks.new', 'driver.disableDevice', 'driver.enableDevice'],
    run: async (t) => {
      const integration = integrationOf(t, 'new')
      await whileDeviceIsDisabled(t, t.config.services.main, async () => {
        const answer = await deliver(t, integration, eventOf({ text: 'hello' }))
        // The specification leaves open whether this is about permission (403) or availability (503).
        if (t.profile === 'core') expectStatus(answer, 403, 503)
        else expectRefusal(answer, 403)
      })
      await accept(t, integration, eventOf({ text: 'hello' }))
    },
  },
]
