import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectRetryAfter, expectStatus } from '../../../kit/server/expectations.ts'
import { createTenant, TENANT, type Tenant } from '../../../kit/steps/tenants.ts'

/** One executing run and 20 queued ones. */
const RUNS_OF_A_CONVERSATION = 21

/** Admits this many runs that do not end, in as few conversations as possible. */
async function fill(t: ServerContext, tenant: Tenant, runs: number): Promise<void> {
  const conversations = Array.from({ length: Math.ceil(runs / RUNS_OF_A_CONVERSATION) }, async (_, at) => {
    const caller = tenant.caller()
    const conversation = await tenant.conversation(caller)
    const count = Math.min(RUNS_OF_A_CONVERSATION, runs - at * RUNS_OF_A_CONVERSATION)
    const first = await t.admit(conversation, t.script({ hang: true }), caller)
    await t.runIn(first.run_id, ['running'], caller)
    for (let run = 1; run < count; run += 1) await t.admit(conversation, { text: 'queued' }, caller)
  })
  await Promise.all(conversations)
}

/** Sends messages at once, each to its own conversation. Returns the number admitted. The others must be 429. */
async function admittedOf(t: ServerContext, tenant: Tenant, count: number): Promise<number> {
  const conversations = await Promise.all(Array.from({ length: count }, () => tenant.conversation()))
  const answers = await Promise.all(
    conversations.map(({ conversation_id: id }) => tenant.caller().send(id, t.script({ hang: true }))),
  )
  for (const answer of answers)
    if (answer.status !== 202) {
      expectRetryAfter(expectRefusal(answer, 429, 'PENDING_LIMIT'))
    }
  return answers.filter(({ status }) => status === 202).length
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/two-hundred-unfinished-runs-of-an-application',
    title: 'an application has at most 200 unfinished runs by default, even if more are sent at the same time',
    rules: ['LIMIT-21'],
    tags: ['limit', 'race', 'slow'],
    needs: TENANT,
    alone: 'all',
    run: async (t) => {
      const tenant = await createTenant(t)
      await fill(t, tenant, 195)
      assert.equal(
        await admittedOf(t, tenant, 12),
        5,
        'with 195 unfinished runs, not exactly 5 of 12 more were admitted',
      )
      const { conversation_id: id } = await tenant.conversation()
      expectRefusal(await tenant.caller().send(id, { text: 'the 201st' }), 429, 'PENDING_LIMIT')
      const other = await createTenant(t, { besides: tenant })
      assert.equal(await admittedOf(t, other, 1), 1, 'the limit also blocks another application on the same device')
    },
  },
  {
    id: 'limits/thousand-unfinished-runs-of-a-device',
    title: 'a device has at most 1000 unfinished runs by default, over all its applications',
    rules: ['LIMIT-22'],
    tags: ['limit', 'slow'],
    needs: TENANT,
    alone: 'all',
    run: async (t) => {
      const tenant = await createTenant(t, { pendingRuns: 2000 })
      await fill(t, tenant, 997)
      const other = await createTenant(t, { besides: tenant })
      assert.equal(
        await admittedOf(t, other, 8),
        3,
        'with 997 unfinished runs of a device, not exactly 3 of 8 more were admitted',
      )
      assert.equal(await admittedOf(t, tenant, 1), 0, 'the device accepted 1001 unfinished runs')
    },
  },
  {
    id: 'limits/default-request-rate',
    title: 'by default a key may send a burst of 1,000 requests and then 500 a second, and no more',
    rules: ['LIMIT-25'],
    tags: ['limit', 'slow'],
    meetsRateLimit: true,
    needs: TENANT,
    alone: 'all',
    run: async (t) => {
      const tenant = await createTenant(t)
      const caller = tenant.caller()
      // The number of requests counted against the burst, which regains 500 a second.
      let used = 0
      let usedAt = performance.now()
      const regain = (): void => {
        const now = performance.now()
        used = Math.max(0, used - ((now - usedAt) / 1000) * 500)
        usedAt = now
      }
      for (let sent = 0; sent < 10_000; sent += 100) {
        regain()
        used += 100
        // Cheap requests, so that the server's speed does not limit them.
        const answers = await Promise.all(Array.from({ length: 100 }, () => caller.listConversations('limit=0')))
        const refused = answers.filter(({ status }) => status !== 400)
        for (const answer of refused) expectRefusal(answer, 429, 'RATE_LIMITED')
        // The server may count a little earlier or later, and also counts the requests that set up the tenant.
        if (refused.length > 0) {
          assert.ok(used > 750, `a request was refused after ${Math.round(used)} requests at once; 1,000 are allowed`)
          return
        }
        regain()
        assert.ok(used < 2000, `${Math.round(used)} requests at once were answered; 1,000 are allowed`)
      }
      t.untestable('the suite could not send more than 500 requests a second')
    },
  },
  {
    id: 'limits/configured-limit-of-a-device',
    title:
      'the limit of unfinished runs can be set for a device, takes effect at once, and can be reset to the default',
    rules: ['LIMIT-24'],
    tags: ['limit'],
    needs: ['driver.createService', 'driver.limitDevice'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const send = async () => {
        const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
        return t.me.send(id, t.script({ hang: true }))
      }
      let unfinished = 0
      for (const pendingRuns of [1, 3]) {
        await t.driver.limitDevice(endpointId, { pendingRuns })
        for (; unfinished < pendingRuns; unfinished += 1) expectStatus(await send(), 202)
        expectRefusal(await send(), 429, 'PENDING_LIMIT')
      }
      await t.admit(await t.conversation(), { text: 'elsewhere' })
      await t.driver.limitDevice(endpointId, { pendingRuns: null })
      for (let more = 0; more < 3; more += 1) expectStatus(await send(), 202)
    },
  },
  {
    id: 'limits/configured-limit-of-an-application',
    title: 'limits of unfinished runs and of the request rate apply only to the application they are set for',
    rules: ['LIMIT-24'],
    tags: ['limit'],
    meetsRateLimit: true,
    needs: [...TENANT, 'driver.limitApp'],
    run: async (t) => {
      const tenant = await createTenant(t, { pendingRuns: 2 })
      assert.equal(await admittedOf(t, tenant, 6), 2, 'with a limit of 2, not exactly 2 of 6 runs were admitted')
      await t.driver.limitApp(tenant.app, { pendingRuns: 3 })
      assert.equal(await admittedOf(t, tenant, 4), 1, 'after the limit grew by 1, not exactly 1 more run was admitted')

      const { conversation_id: id } = await tenant.conversation()
      const burst = () => Promise.all(Array.from({ length: 8 }, () => tenant.caller().snapshot(id)))
      await t.driver.limitApp(tenant.app, { requestsPerSecond: 1 })
      const limited = await t.until('a burst of requests is refused', burst, (answers) =>
        answers.some(({ status }) => status === 429),
      )
      for (const answer of limited) if (answer.status !== 200) expectRefusal(answer, 429, 'RATE_LIMITED')
      expectStatus(await t.me.snapshot((await t.conversation()).conversation_id), 200)
      await t.driver.limitApp(tenant.app, { requestsPerSecond: null })
      await t.until('a burst of requests is answered again', burst, (answers) =>
        answers.every(({ status }) => status === 200),
      )
    },
  },
]
