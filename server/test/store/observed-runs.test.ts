import { beforeAll, expect, it } from 'vitest'
import type { RunFilter } from '../../src/store/admin/runs.ts'
import { listObservedRuns } from '../../src/store/admin/runs.ts'
import type { Db } from '../../src/store/db.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { planOf } from '../support/databases/plan-of.ts'

const ROWS = 30_000
/**
 * Runs of two applications. Of every 3,000 runs, one has the rare service, one the rare device and one the rare error.
 * Of every 1,000 runs, one is queued and one is running.
 */
const FILL = `
insert into apps (app_id, owner_id, state, created_at) values ('app_1', 'o', 'active', now()), ('app_2', 'o', 'active', now());
insert into devices (device_id, state, created_at) values ('dev_many', 'active', now()), ('dev_few', 'active', now());
insert into conversations (app_id, conversation_id, subject, owner_id, endpoint_id, device_id, binding_version, shard, created_at)
select 'app_' || 1 + n % 2, 'conv_' || lpad(n::text, 6, '0'), 'subject-' || n, 'o', 'ep', 'dev_many', 1, 1, now()
from generate_series(1, ${ROWS}) n;
insert into runs (app_id, run_id, conversation_id, subject, endpoint_id, device_id, message_id, generation, binding_version,
  position, admitted_seq, state, delivery_state, start_before, result, created_at, updated_at, finished_at)
select 'app_' || 1 + n % 2, 'run_' || lpad(n::text, 6, '0'), 'conv_' || lpad(n::text, 6, '0'), 'subject-' || n,
  case n % 3000 when 1 then 'ep_few' else 'ep_many' end, case n % 3000 when 2 then 'dev_few' else 'dev_many' end,
  'msg', 1, 1, 1, 0,
  case when n % 1000 = 3 then 'queued' when n % 1000 = 4 then 'running' when n % 100 = 5 then 'failed' else 'succeeded' end,
  'waiting_device', now(),
  case when n % 3000 = 5 then '{"error":{"code":"RARE"}}'::json when n % 100 = 5 then '{"error":{"code":"OFTEN"}}' end,
  now(), now(), case when n % 1000 in (3, 4) then null else now() end
from generate_series(1, ${ROWS}) n;
analyze apps; analyze devices; analyze conversations; analyze runs;`

const ANY: RunFilter = {
  appId: null,
  subject: null,
  conversationId: null,
  endpointId: null,
  deviceId: null,
  state: null,
  errorCode: null,
  fromId: null,
  beforeId: null,
}

eachDatabase('the list of the runs of all applications', (database) => {
  beforeAll(() => database.db.exec(FILL))

  it.each<[string, Partial<RunFilter>, number]>([
    ['of all applications', {}, 50],
    ['of an application', { appId: 'app_2' }, 50],
    ['of a subject', { appId: 'app_2', subject: 'subject-7' }, 1],
    ['of a conversation', { conversationId: 'conv_000007' }, 1],
    ['of a service', { endpointId: 'ep_few' }, 10],
    ['of a device', { deviceId: 'dev_few' }, 10],
    ['that wait', { state: 'queued' }, 30],
    ['that execute', { state: 'running' }, 30],
    ['that failed', { state: 'failed' }, 50],
    ['that were interrupted', { state: 'interrupted' }, 0],
    ['with an error', { errorCode: 'RARE' }, 10],
    ['of a window', { fromId: 'run_000010', beforeId: 'run_000020' }, 10],
  ])('reads few rows to find those %s', async (_what, filter, found) => {
    const runs = await listObservedRuns(database.db, { ...ANY, ...filter }, 50)
    expect(runs).toHaveLength(found)
    const ids = runs.map(({ runId }) => runId)
    expect(ids).toEqual(ids.toSorted().reverse())
    const list = (db: Db) => listObservedRuns(db, { ...ANY, ...filter }, 50)
    const plan = await planOf(database.db, list, 'explain (analyze, timing off, buffers off)')
    expect(plan).not.toMatch(/Seq Scan on runs|Seq Scan on conversations/)
    const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
    expect(Math.max(0, ...removed), plan).toBeLessThan(500)
  })
})
