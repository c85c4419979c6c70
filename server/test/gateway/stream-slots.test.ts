import { randomUUID } from 'node:crypto'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import { beforeEach, describe, expect, it } from 'vitest'
import { createPresence } from '../../src/gateway/presence.ts'
import { createStreamSlots, type StreamSlot } from '../../src/gateway/stream/stream-slots.ts'
import type { Db, Statement } from '../../src/store/db.ts'
import type { StreamLimit } from '../../src/store/streams.ts'
import { eachDatabase, onPostgres } from '../support/databases/databases.ts'
import { createTestClock, type TestClock } from '../support/gateway-fixture.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { untilHolds } from '../support/until-holds.ts'

const LIMITS = { perDevice: 32, perApp: 16, perSubject: 4 }
const SECONDS = 1000

let clock: TestClock
let appId: string
let deviceId: string

beforeEach(() => {
  clock = createTestClock()
  appId = `app_${randomUUID()}`
  deviceId = `dev_${randomUUID()}`
})

const tenant = (subject = 'alice', app = appId): Tenant => ({ appId: app, subject })

/** A process with its slots, which has sent one heartbeat. Its timers run only when the test advances them. */
const startProcess = async (db: Db) => {
  const timers = createManualTimers()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const processId = randomUUID()
  const presence = createPresence({
    ...{ db, clock, timers, processId, onError },
    ...{ elapsedMs: () => timers.now, runSlots: 0, deviceIds: null, beatMs: SECONDS, leaseMs: 4 * SECONDS },
  })
  await presence.start()
  const slots = createStreamSlots({ db, clock, timers, processId, limits: LIMITS, onError })
  const takeMany = async (count: number, ...where: Parameters<typeof slots.take>) => {
    const taken: (StreamSlot | StreamLimit)[] = []
    for (let i = 0; i < count; i++) taken.push(await slots.take(...where))
    return taken
  }
  const close = async () => {
    await slots.close()
    await presence.stop()
  }
  return { ...slots, processId, close, timers, errors, takeMany }
}

const refused = (taken: readonly (StreamSlot | StreamLimit)[]): string[] =>
  taken.filter((each) => typeof each === 'string')

const slotOf = (taken: StreamSlot | StreamLimit | undefined): StreamSlot => {
  if (taken === undefined || typeof taken === 'string') throw new Error(`no slot: ${taken}`)
  return taken
}

const COUNT: Statement = {
  name: 'test_count_streams',
  access: 'read',
  text: 'select count(*)::integer as count from streams where app_id = $1',
}
const countStreams = async (db: Db): Promise<number> =>
  (await db.query<{ count: number }>(COUNT, [appId]))[0]?.count ?? 0

const PROCESS: Statement = {
  name: 'test_process',
  access: 'read',
  text: 'select expires_at as until from processes where process_id = $1',
}
const aliveUntil = async (db: Db, processId: string): Promise<number | undefined> =>
  (await db.query<{ until: Date }>(PROCESS, [processId]))[0]?.until.getTime()

eachDatabase('stream slots', (database) => {
  describe('limits', () => {
    it('are 4 for a subject, 16 for an application, 32 for a device, over all processes [SSE-31, LIMIT-14, LIMIT-15, LIMIT-16]', async () => {
      const [one, two] = [await startProcess(database.db), await startProcess(database.db)]
      expect(refused(await one.takeMany(2, tenant(), deviceId))).toEqual([])
      expect(refused(await two.takeMany(3, tenant(), deviceId))).toEqual(['subject'])
      for (const subject of ['bob', 'carol'])
        expect(refused(await one.takeMany(4, tenant(subject), deviceId))).toEqual([])
      expect(refused(await two.takeMany(4, tenant('dave'), deviceId))).toEqual([])
      expect(await one.take(tenant('erin'), deviceId)).toBe('app')
      const other = `app_${randomUUID()}`
      for (const subject of ['alice', 'bob', 'carol', 'dave'])
        expect(refused(await two.takeMany(4, tenant(subject, other), deviceId))).toEqual([])
      expect(await one.take(tenant('alice', `app_${randomUUID()}`), deviceId)).toBe('device')
      expect(await one.take(tenant('alice', `app_${randomUUID()}`), 'another device')).toBeTypeOf('object')
    })

    it('of the application and of the device override the defaults', async () => {
      const { db } = database
      const { take, takeMany } = await startProcess(db)
      await db.query(
        {
          name: 'test_app_with_limits',
          access: 'write',
          text: `insert into apps (app_id, owner_id, state, created_at, stream_limit, subject_stream_limit)
            values ($1, 'owner', 'active', $2, 3, 2)`,
        },
        [appId, clock.now()],
      )
      await db.query(
        {
          name: 'test_device_with_limit',
          access: 'write',
          text: `insert into devices (device_id, state, created_at, stream_limit) values ($1, 'active', $2, 1)`,
        },
        [deviceId, clock.now()],
      )
      expect(refused(await takeMany(2, tenant(), deviceId))).toEqual(['device'])
      expect(refused(await takeMany(2, tenant(), 'another device'))).toEqual(['subject'])
      expect(refused(await takeMany(2, tenant('bob'), 'another device'))).toEqual(['app'])
      expect(await take(tenant('carol', `app_${randomUUID()}`), deviceId)).toBe('device')
    })
  })

  it('a released slot is available in any process at once, and releasing it again has no effect', async () => {
    const [one, two] = [await startProcess(database.db), await startProcess(database.db)]
    const [first] = await one.takeMany(4, tenant(), deviceId)
    await slotOf(first).release()
    expect(await two.take(tenant(), deviceId)).toBeTypeOf('object')
    await slotOf(first).release()
    expect(await two.take(tenant(), deviceId)).toBe('subject')
  })

  it('the slots of a crashed process are free within 5 seconds, and its rows are removed [SSE-32]', async () => {
    const [crashed, alive] = [await startProcess(database.db), await startProcess(database.db)]
    await crashed.takeMany(4, tenant(), deviceId)
    expect(await alive.take(tenant(), deviceId)).toBe('subject')
    clock.pass(5 * SECONDS)
    expect(refused(await alive.takeMany(4, tenant(), deviceId))).toEqual([])
    // If the round comes before the heartbeat, it also removes the rows of `alive`; the next round writes them again.
    await untilHolds(async () => {
      alive.timers.advance(15 * SECONDS)
      expect(await countStreams(database.db)).toBe(4)
    })
  })

  it('the slots of a process stay in use while it renews its lease', async () => {
    const [one, two] = [await startProcess(database.db), await startProcess(database.db)]
    await one.takeMany(4, tenant(), deviceId)
    for (let passed = 0; passed < 60; passed += 3) {
      clock.pass(3 * SECONDS)
      one.timers.advance(SECONDS)
      const until = clock.now().getTime() + 4 * SECONDS
      await untilHolds(async () => expect(await aliveUntil(database.db, one.processId)).toBe(until))
    }
    expect(await two.take(tenant(), deviceId)).toBe('subject')
  })

  it('the expired slots of a suspended process are in use again when it resumes', async () => {
    const [frozen, alive] = [await startProcess(database.db), await startProcess(database.db)]
    const taken = await frozen.takeMany(4, tenant(), deviceId)
    clock.pass(90 * SECONDS)
    alive.timers.advance(15 * SECONDS)
    await untilHolds(async () => expect(await countStreams(database.db)).toBe(0))
    // If the round restores the rows before the heartbeat, they are removed once more; so the round is repeated.
    await untilHolds(async () => {
      frozen.timers.advance(15 * SECONDS)
      expect(await countStreams(database.db)).toBe(4)
    })
    expect(await alive.take(tenant(), deviceId)).toBe('subject')
    for (const slot of taken) await slotOf(slot).release()
    expect(await countStreams(database.db)).toBe(0)
  })

  it('slots that could not be released are released in the next restore', async () => {
    const { db } = database
    let isAway = false
    const flaky: Db = {
      ...db,
      query: (statement, params) => (isAway ? Promise.reject(new Error('no connection')) : db.query(statement, params)),
    }
    const { take, timers, errors } = await startProcess(flaky)
    const slot = slotOf(await take(tenant(), deviceId))
    isAway = true
    await slot.release()
    expect(errors).toEqual([new Error('no connection')])
    expect(await countStreams(db)).toBe(1)
    isAway = false
    timers.advance(15 * SECONDS)
    await untilHolds(async () => expect(await countStreams(db)).toBe(0))
  })

  it('no slot stays in use when only the answer to its transaction is lost', async () => {
    const { db } = database
    const lossy: Db = {
      ...db,
      transaction: async (work) => {
        await db.transaction(work)
        throw new Error('connection lost')
      },
    }
    const { take } = await startProcess(lossy)
    await expect(take(tenant(), deviceId)).rejects.toThrow('connection lost')
    await untilHolds(async () => expect(await countStreams(db)).toBe(0))
  })

  it('all slots are released when the process ends', async () => {
    const [ending, other] = [await startProcess(database.db), await startProcess(database.db)]
    await ending.takeMany(3, tenant(), deviceId)
    await other.take(tenant(), deviceId)
    await ending.close()
    expect(await countStreams(database.db)).toBe(1)
    expect(ending.timers.pending).toBe(0)
  })
})

onPostgres('stream slots', (database) => {
  it('never exceed the limit, however many are requested at once in several processes [SSE-31]', async () => {
    const processes = await Promise.all([database.db, database.openAnother(), database.openAnother()].map(startProcess))
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const subject = `subject_${index % 10}`
        const device = index % 3 === 0 ? deviceId : 'another device'
        return processes[index % 3]?.take(tenant(subject), device)
      }),
    )
    expect(taken.filter((each) => typeof each === 'object')).toHaveLength(LIMITS.perApp)
    expect(await countStreams(database.db)).toBe(LIMITS.perApp)
  })

  it('are opened, restored, released and swept at once without a deadlock', async () => {
    const processes = await Promise.all([database.db, database.openAnother(), database.openAnother()].map(startProcess))
    const apps = [appId, `app_${randomUUID()}`]
    await Promise.all(
      processes.map(async ({ take, timers }, process) => {
        for (let i = 0; i < 40; i++) {
          const taken = await take(tenant(`subject_${i}`, apps[(i + process) % 2]), i % 2 === 0 ? deviceId : 'other')
          if (i % 5 === 0) timers.advance(15 * SECONDS)
          if (i % 7 === 0) clock.pass(20 * SECONDS)
          if (typeof taken === 'object' && i % 3 > 0) await taken.release()
        }
      }),
    )
    for (const { close } of processes) await close()
    expect(processes.flatMap(({ errors }) => errors)).toEqual([])
    expect(await countStreams(database.db)).toBe(0)
  })
})
