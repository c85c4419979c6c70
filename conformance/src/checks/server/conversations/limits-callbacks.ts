import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { save, saved } from '../../../kit/steps/callback-administration.ts'
import { arrivals, finish, observed } from '../../../kit/steps/callbacks.ts'
import { expectRefused } from '../../../kit/steps/refusals.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/callback-id',
    title: 'the webhook-id of every callback has 1 to 128 printable ASCII characters without spaces',
    rules: ['LIMIT-08'],
    tags: ['limit'],
    needs: ['callbacks'],
    run: async (t) => {
      const conversation = await observed(t)
      await finish(t, conversation)
      await finish(t, conversation, { fail: { code: 'NO_STOCK', message: 'Nothing left.' } })
      for (const request of await arrivals(t, conversation, 2)) {
        assert.equal(request.header('webhook-id').length, 1, 'not exactly one webhook-id')
        assert.match(request.header('webhook-id')[0] ?? '', /^[\x21-\x7e]{1,128}$/)
      }
    },
  },
  {
    id: 'limits/callback-port',
    title: 'a callback URL with an explicit or implicit port 443 can be configured; one with any other port cannot',
    rules: ['LIMIT-19'],
    tags: ['limit', 'security'],
    needs: ['callbacks', 'callbacks.allowedHost', 'driver.saveCallback'],
    run: async (t) => {
      const host = t.config.callbacks?.allowedHost
      for (const port of ['', ':443']) await saved(t, { url: `https://${host}${port}/callbacks` })
      for (const port of [80, 442, 444, 4430, 8443, 1, 65_535])
        expectRefused(await save(t, { url: `https://${host}:${port}/callbacks` }), `the port ${port}`)
    },
  },
]
