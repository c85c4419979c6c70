import { expect, test } from 'vitest'
import { decideApproval } from '../../src/gateway/admin/approvals.ts'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { claimWork, reportOutcome, requestApproval } from '../../src/gateway/execution.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import { claimRuns } from '../../src/store/claims.ts'
import type { Db } from '../../src/store/db.ts'
import { answerOf } from '../admin/support.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import type { Service } from '../support/gateway-fixture.ts'
import {
  appear,
  beat,
  createTestClock,
  moveService,
  newConversationId,
  newService,
  sendText,
  testContext,
} from '../support/gateway-fixture.ts'

/** A device that serves several applications, and processes that serve the device. */
const setUp = async (db: Db, applications: number) => {
  const clock = createTestClock()
  const context = testContext(db, clock)
  const services: Service[] = []
  for (let made = 0; made < applications; made += 1) services.push(await newService(db, clock.now()))
  const deviceId = services[0]?.deviceId ?? ''
  for (const service of services) await moveService(db, service, deviceId)
  const nameOf = (run: { readonly appId: string }): string =>
    'ABCDEF'[services.findIndex(({ appId }) => appId === run.appId)] ?? '?'
  const serviceOf = (name: string): Service => {
    const service = services['ABCDEF'.indexOf(name)]
    if (service === undefined) throw new Error(`there is no application ${name}`)
    return service
  }

  /** Admits a run of an application, in a new conversation unless one is given. */
  const admit = async (name: string, conversation?: string): Promise<string> => {
    const { appId, endpointId } = serviceOf(name)
    const tenant = { appId, subject: 'subject' }
    const conversationId = conversation ?? (await newConversationId(context, tenant, endpointId))
    // The oldest run is claimed first, so each run gets its own millisecond.
    clock.pass(1)
    answerOf(await sendText(context, tenant, conversationId))
    return conversationId
  }
  const admitAll = async (names: string): Promise<void> => {
    for (const name of names) await admit(name)
  }

  const approvals: string[] = []
  const approveAll = async (): Promise<void> => {
    for (const approvalId of approvals.splice(0))
      answerOf(await decideApproval(context, approvalId, { decision: 'approve' }))
  }

  /** A process with slots for the device. Like a worker, it claims at most as many runs as it has free slots. */
  const process = (name: string, runSlots: number) => {
    const workerId = `${name} of ${deviceId}`
    const held = new Set<ClaimedRun>()
    const waiting = new Set<ClaimedRun>()
    return {
      workerId,
      held,
      appear: async () => {
        await appear(context, { workerId, deviceId, runSlots })
        await beat(db, deviceId, clock.now())
      },
      claim: async (limit = runSlots): Promise<ClaimedRun[]> => {
        const free = runSlots - (held.size - waiting.size)
        if (free <= 0) return []
        const runs = await claimWork(context, { deviceId, workerId, limit: Math.min(limit, free) })
        for (const run of runs) held.add(run)
        return runs
      },
      end: async (run: ClaimedRun | undefined): Promise<void> => {
        if (run === undefined) throw new Error('unknown run')
        held.delete(run)
        waiting.delete(run)
        await reportOutcome(context, run, { state: 'succeeded', text: 'done' })
      },
      ask: async (run: ClaimedRun | undefined): Promise<void> => {
        if (run === undefined) throw new Error('unknown run')
        waiting.add(run)
        approvals.push((await requestApproval(context, run, 'May I?')) ?? '')
      },
    }
  }
  const names = (runs: Iterable<ClaimedRun>): string => [...runs].map(nameOf).join('')
  return { clock, context, deviceId, admit, admitAll, approveAll, process, names }
}

eachDatabase('the free slots of a device', (database) => {
  const start = async (applications: number, slots: number) => {
    const fixture = await setUp(database.db, applications)
    const worker = fixture.process('worker', slots)
    await worker.appear()
    return { ...fixture, worker }
  }

  test('go to the application that uses the fewest, then to the oldest run [DEV-19]', async () => {
    const { admitAll, names, worker } = await start(3, 8)
    await admitAll('AAAAAABBC')
    expect(names(await worker.claim(7))).toBe('ABCABAA')
    await admitAll('CCC')
    expect(names(await worker.claim())).toBe('C')
  })

  test('go to the oldest run within an application [DEV-19]', async () => {
    const { admit, worker } = await start(1, 4)
    const conversations = [await admit('A'), await admit('A'), await admit('A')]
    const taken = [...(await worker.claim(2)), ...(await worker.claim(2))]
    expect(taken.map(({ conversationId }) => conversationId)).toEqual(conversations)
  })

  test('are all available to one application if no other one has a service on the device', async () => {
    const { admitAll, names, worker } = await start(1, 4)
    await admitAll('AAAAAA')
    expect(names(await worker.claim())).toBe('AAAA')
  })

  test('include a quarter that is reserved for the other applications of the device, so that hanging runs do not block theirs [DEV-20]', async () => {
    const { admitAll, names, worker } = await start(2, 4)
    await admitAll('AAAAAA')
    expect(names(await worker.claim())).toBe('AAA')
    await admitAll('B')
    expect(names(await worker.claim())).toBe('B')
  })

  test('go to one application up to three quarters of all slots, even while another application waits [DEV-20]', async () => {
    const { admitAll, names, worker, process, approveAll } = await start(2, 7)
    // B executes more runs than its process has slots: runs that waited for approvals resumed all at once.
    const other = process('other', 1)
    await other.appear()
    await admitAll('BBBBBBB')
    for (let turn = 0; turn < 7; turn += 1) for (const run of await other.claim()) await other.ask(run)
    await approveAll()
    await admitAll('AAAAAAA')
    expect(names(await worker.claim(6))).toBe('AAAAAA')
    await admitAll('B')
    expect(names(await worker.claim())).toBe('')
    const [first] = worker.held
    await worker.end(first)
    expect(names(await worker.claim())).toBe('A')
  })

  test('alternate between the applications if there is one slot, and stay with the last application that has runs [DEV-20]', async () => {
    const { admitAll, names, worker } = await start(3, 1)
    await admitAll('AAAAABBC')
    let order = ''
    for (let turn = 0; turn < 8; turn += 1) {
      const [run] = await worker.claim()
      order += names(run === undefined ? [] : [run])
      await worker.end(run)
    }
    expect(order).toBe('ABABACAA')
  })

  test('are not used up by runs that wait for an approval [DEV-19]', async () => {
    const { admitAll, names, worker } = await start(2, 2)
    await admitAll('AAA')
    for (const run of await worker.claim()) await worker.ask(run)
    await admitAll('B')
    expect(names(await worker.claim())).toBe('AB')
  })

  test('are not reserved for a run that waits for its own conversation [DEV-20]', async () => {
    const { admit, admitAll, names, worker } = await start(2, 4)
    const conversationId = await admit('B')
    expect(names(await worker.claim())).toBe('B')
    await admit('B', conversationId)
    await admitAll('AAA')
    expect(names(await worker.claim())).toBe('AAA')
    const [first] = worker.held
    await worker.end(first)
    expect(names(await worker.claim())).toBe('B')
  })

  test('are not given to runs that missed their start [RUN-31]', async () => {
    const { clock, admitAll, names, worker } = await start(2, 2)
    await admitAll('AAAA')
    clock.pass(299_999)
    await worker.appear()
    await admitAll('B')
    expect(names(await worker.claim())).toBe('B')
  })

  test('are counted over all processes that serve the device, except dead ones [DEV-19, DEV-20]', async () => {
    const { clock, context, admitAll, names, worker, process } = await start(2, 2)
    const other = process('other', 2)
    await other.appear()
    await admitAll('AAA')
    expect(names(await other.claim())).toBe('AA')
    expect(names(await worker.claim(1))).toBe('A')
    // A uses three of four slots. It does not get the fourth one while B waits.
    await admitAll('AB')
    expect(names(await worker.claim())).toBe('B')
    for (const run of [...worker.held]) await worker.end(run)
    clock.pass(context.settings.leaseMs)
    await worker.appear()
    await advanceDueWork(context)
    await admitAll('BB')
    expect(names(await worker.claim())).toBe('AB')
  })

  test('are not given to a process whose lease has expired', async () => {
    const { clock, context, admitAll, names, worker } = await start(1, 2)
    await admitAll('A')
    clock.pass(context.settings.leaseMs)
    expect(names(await worker.claim())).toBe('')
    await worker.appear()
    expect(names(await worker.claim())).toBe('A')
  })
})

onPostgres('the slots of a device whose processes claim at once', (database) => {
  test('are assigned as if claims of other open transactions were committed [DEV-19, DEV-20]', async () => {
    const { context, clock, deviceId, admitAll, names, process } = await setUp(database.db, 2)
    const [one, two] = [process('one', 4), process('two', 4)]
    await one.appear()
    await two.appear()
    await admitAll('AAAAAABBBB')
    const claim = { deviceId, workerId: one.workerId, now: clock.now(), limit: 3 }
    await context.db.transaction(async (tx) => {
      expect(names((await claimRuns(tx, claim)).map(({ run }) => run))).toBe('ABA')
      const otherProcess = { ...context, db: database.openAnother() }
      expect(names(await claimWork(otherProcess, { deviceId, workerId: two.workerId, limit: 4 }))).toBe('BABA')
    })
    expect(names(await one.claim())).toBe('BAA')
  })

  test('are shared as if the processes had claimed one after the other [DEV-19, DEV-20]', async () => {
    const { admitAll, names, process } = await setUp(database.db, 3)
    const workers = Array.from({ length: 4 }, (_, index) => process(`worker ${index}`, 4))
    for (const worker of workers) await worker.appear()
    const waiting = { A: 40, B: 20, C: 2 }
    for (const [name, count] of Object.entries(waiting)) await admitAll(name.repeat(count))
    let rounds = 0
    for (; waiting.A + waiting.B + waiting.C > 0; rounds += 1) {
      const taken = names((await Promise.all(workers.map((worker) => worker.claim(3)))).flat())
      const executing = names(workers.flatMap(({ held }) => [...held]))
      const count = (all: string, name: string) => all.split(name).length - 1
      for (const name of ['A', 'B', 'C'] as const) waiting[name] -= count(taken, name)
      expect(executing.length).toBeLessThanOrEqual(16)
      // As long as A and B both have runs to start, their shares differ by at most one run.
      if (waiting.A > 0 && waiting.B > 0)
        expect(Math.abs(count(executing, 'A') - count(executing, 'B'))).toBeLessThanOrEqual(1)
      if (waiting.B + waiting.C > 0) expect(count(executing, 'A')).toBeLessThanOrEqual(12)
      await Promise.all(workers.flatMap((worker) => [...worker.held].slice(0, 2).map((run) => worker.end(run))))
    }
    expect(rounds).toBeGreaterThan(5)
  })
})
