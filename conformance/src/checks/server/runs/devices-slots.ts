import assert from 'node:assert/strict'
import type { ScriptStep } from '../../../kit/config/driver.ts'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectStatus } from '../../../kit/server/expectations.ts'
import { createTenant, TENANT, type Tenant } from '../../../kit/steps/tenants.ts'

/** Number of runs of each of the two applications: together more than a device usually has slots. */
const RUNS = 80
const SENT_AT_ONCE = 20
/** How long a run occupies its slot: longer than it takes to send all runs. */
const SLOT_MS = 2500

/** Sends runs of the tenant that each occupy a slot for a while. Returns them in the order of their admission. */
async function occupy(t: ServerContext, tenant: Tenant): Promise<readonly string[]> {
  const caller = tenant.caller()
  const runIds: string[] = []
  while (runIds.length < RUNS) {
    const sent = Array.from({ length: SENT_AT_ONCE }, async () =>
      t.admit(await tenant.conversation(caller), t.script({ sleep_ms: SLOT_MS }, { succeed: {} }), caller),
    )
    for (const { run_id: runId } of await Promise.all(sent)) runIds.push(runId)
  }
  return runIds
}

/** Number of runs whose order is compared. */
const WAITING = 6

/** The time at which the run ended, from its record. */
const endOf = async (t: ServerContext, caller: Caller, runId: string): Promise<number> =>
  Date.parse((await t.runEnded(runId, caller)).updated_at)

export const checks: readonly ServerCheck[] = [
  {
    id: 'devices/slots-in-turn',
    title:
      'the next free slot of a device goes to the application with no executing run, even if many runs of other applications have waited longer',
    rules: ['DEV-19'],
    tags: ['slow'],
    needs: TENANT,
    alone: 'all',
    run: async (t) => {
      const first = await createTenant(t, { pendingRuns: 2 * RUNS })
      const second = await createTenant(t, { besides: first, pendingRuns: 2 * RUNS })
      const small = await createTenant(t, { besides: first })
      const [large, caller] = [second.caller(), small.caller()]
      const conversation = await small.conversation(caller)
      await occupy(t, first)
      const occupying = await occupy(t, second)
      const { run_id: runId } = await t.admit(conversation, t.script({ succeed: {} }), caller)
      const states = await Promise.all(occupying.map(async (id) => expectStatus(await large.run(id), 200).body.state))
      const waiting = occupying[states.indexOf('queued')]
      if (waiting === undefined) return t.untestable(`the device has a slot for each of ${2 * RUNS} runs`)
      // The small application's run ends as soon as it starts; the other run occupies its slot for a while.
      const [own, before] = [await endOf(t, caller, runId), await endOf(t, large, waiting)]
      assert.ok(
        own < before - SLOT_MS / 2,
        `the small application's run must end more than ${SLOT_MS / 2} ms before a queued run of the large application, but ended ${before - own} ms before it`,
      )
    },
  },
  {
    id: 'devices/oldest-first',
    title: 'the next free slot goes to the oldest waiting run of an application',
    rules: ['DEV-19'],
    tags: ['slow'],
    needs: TENANT,
    alone: 'all',
    run: async (t) => {
      const tenant = await createTenant(t, { pendingRuns: 2 * RUNS })
      const caller = tenant.caller()
      const admit = async (step: ScriptStep): Promise<string> =>
        (await t.admit(await tenant.conversation(caller), t.script(step), caller)).run_id
      const stateOf = async (runId: string): Promise<string> => expectStatus(await caller.run(runId), 200).body.state
      const hanging: string[] = []
      while (hanging.length < 2 * RUNS - WAITING) {
        hanging.push(await admit({ hang: true }))
        await t.quiet()
        if ((await stateOf(hanging.at(-1) ?? '')) === 'queued') break
      }
      const last = hanging.pop() ?? ''
      if ((await stateOf(last)) !== 'queued')
        return t.untestable(`the device has a slot for each of ${hanging.length} runs`)
      // Cancel the queued run, so that only the compared runs wait for the slot that the last cancel frees.
      expectStatus(await caller.cancel(last), 202)
      const waiting: string[] = []
      for (let count = 0; count < WAITING; count += 1) waiting.push(await admit({ succeed: {} }))
      expectStatus(await caller.cancel(hanging[0] ?? ''), 202)
      const ends: number[] = []
      for (const runId of waiting) ends.push(await endOf(t, caller, runId))
      assert.deepEqual(
        ends,
        ends.toSorted((a, b) => a - b),
        `runs must end in the order of their admission, ended at ${ends.join(', ')}`,
      )
    },
  },
]
