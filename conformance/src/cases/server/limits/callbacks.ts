import assert from 'node:assert/strict'
import { arrivals, finish, observed } from '../../../steps/server/callbacks.ts'
import { expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

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
    title: 'a callback URL on port 443, named or not, can be configured; one on any other port cannot',
    rules: ['LIMIT-19'],
    tags: ['limit', 'security'],
    needs: ['admin', 'appIds', 'callbacks.allowedHost', 'driver.createService'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const host = t.config.callbacks?.allowedHost
      const save = (url: string) =>
        t.admin.request('POST', '/callbacks', {
          json: {
            app_id: t.config.apps.first.appId,
            endpoint_id: endpointId,
            url,
            events: ['run.completed'],
            enabled: false,
          },
        })
      for (const port of ['', ':443']) expectStatus(await save(`https://${host}${port}/callbacks`), 201)
      for (const port of [80, 442, 444, 4430, 8443, 1, 65_535])
        expectStatus(await save(`https://${host}:${port}/callbacks`), 400, 403, 409, 422)
    },
  },
]
