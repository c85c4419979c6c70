import { claimWork } from '../../src/gateway/execution.ts'
import type { ClaimedRun } from '../../src/store/claims.ts'
import type { Db, Row, Statement } from '../../src/store/db.ts'
import type { BatchOutcome, FreeSlots } from '../../src/writer/starts.ts'
import { createWriter } from '../../src/writer/writer.ts'
import {
  appear,
  createTestClock,
  moveService,
  newConversationId,
  newService,
  testContext,
} from '../support/gateway-fixture.ts'

const STATES: Statement = {
  name: 'test_states_of_conversation',
  access: 'read',
  text: `select string_agg(state, ' ' order by position) as states from runs where app_id = $1 and conversation_id = $2`,
}
const UNFINISHED: Statement = {
  name: 'test_unfinished_of_app',
  access: 'read',
  text: 'select coalesce(sum(unfinished), 0)::integer as unfinished from pending_runs where app_id = $1',
}

/** The number of unfinished runs of an application, by the counters of its limit. */
export const countUnfinished = async (db: Db, appId: string): Promise<number | undefined> =>
  (await db.query<{ unfinished: number }>(UNFINISHED, [appId]))[0]?.unfinished

interface Settled {
  readonly runs: readonly ClaimedRun[]
  readonly outcome: BatchOutcome
}

/** A process with this number of free slots. It executes nothing, and records the runs that it would execute. */
const createFreeSlots = (workerId: string, free: number) => {
  const settled: Settled[] = []
  let reserved = 0
  const freeSlots: FreeSlots = {
    workerIds: () => (free > reserved ? [workerId] : []),
    reserve: (_, count, present) => {
      if (count > free - reserved || !present.includes(workerId)) return null
      reserved += count
      return {
        workerId,
        settle: (runs, outcome) => {
          settled.push({ runs, outcome })
          reserved -= outcome === 'committed' ? 0 : count
        },
      }
    },
  }
  return { workerId, freeSlots, settled, reserved: () => reserved }
}

/**
 * An application with a process that serves its device. According to the database the process has `slots` slots;
 * according to the process, `free` of them are free. `context` has the writer of the process, which uses `through`.
 */
export const setUpSlots = async (
  db: Db,
  { slots = 8, free = slots, through = db }: { slots?: number; free?: number; through?: Db } = {},
) => {
  const clock = createTestClock()
  const service = await newService(db, clock.now())
  const { deviceId } = service
  const workerId = `worker of ${deviceId}`
  const { freeSlots, settled, reserved } = createFreeSlots(workerId, free)
  const plain = testContext(db, clock)
  const context = { ...plain, writer: createWriter(through, freeSlots) }
  const tenant = { appId: service.appId, subject: 'subject' }
  await appear(context, { workerId, deviceId, runSlots: slots })
  return {
    clock,
    context,
    /** The context of a process without slots. */
    plain,
    service,
    deviceId,
    tenant,
    workerId,
    settled,
    reserved,
    newConversation: () => newConversationId(plain, tenant, service.endpointId),
    /** Another application with a service on the device. */
    newOtherApp: async () => {
      const other = await newService(db, clock.now())
      await moveService(db, other, deviceId)
      const otherTenant = { appId: other.appId, subject: 'subject' }
      return { tenant: otherTenant, newConversation: () => newConversationId(plain, otherTenant, other.endpointId) }
    },
    /** Another process that serves the device. */
    inProcess: async (name: string, otherDb: Db) => {
      const other = createFreeSlots(`${name} of ${deviceId}`, free)
      await appear(context, { workerId: other.workerId, deviceId, runSlots: slots })
      return { ...other, context: { ...testContext(otherDb, clock), writer: createWriter(otherDb, other.freeSlots) } }
    },
    claim: () => claimWork(plain, { deviceId, workerId, limit: 10 }),
    query: async (statement: Statement, id: string): Promise<Row[]> => db.query(statement, [tenant.appId, id]),
    states: async (id: string) => (await db.query<{ states: string | null }>(STATES, [tenant.appId, id]))[0]?.states,
    unfinished: () => countUnfinished(db, tenant.appId),
  }
}
