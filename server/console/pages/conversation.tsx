import { gateway, LIVE_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import { usePolled } from '../data/poll.ts'
import { Identifier, SubjectId } from '../parts/identifier.tsx'
import { LiveTable } from '../parts/live-table.tsx'
import { Facts, Page, Problem } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Moment } from '../parts/time.tsx'
import { CancelWork } from './cancel-work.tsx'
import { stateOf } from './conversations.tsx'
import { RUN_COLUMNS } from './runs/run-columns.tsx'
import { Thread } from './thread.tsx'

/** One conversation: its properties, its messages and its runs. */
export const Conversation = ({ id }: { id: string }) => {
  const { data, error, refresh } = usePolled(id, (signal) => gateway().conversations.get(id, { signal }), LIVE_MS)
  const runs = useLiveList({
    key: id,
    read: async (query, signal) => (await gateway().runs.list({ ...query, conversation_id: id }, { signal })).runs,
    idOf: (run) => run.run_id,
    everyMs: LIVE_MS,
  })
  return (
    <Page
      title="Conversation"
      aside={data !== undefined && <StatePill state={stateOf(data)} />}
      actions={data !== undefined && <CancelWork conversation={data} refresh={refresh} />}
    >
      <SubjectId id={id} />
      <Problem text={error} />
      {data !== undefined && (
        <Facts
          facts={[
            ['Application', <Identifier key="app" id={data.app_id} href={`/apps/${data.app_id}`} whole />],
            ['Subject', data.subject],
            ['Key', data.business_key],
            ['Service', `${data.endpoint_id}, version ${data.binding_version}`],
            ['Device', <Identifier key="device" id={data.device_id} href={`/devices/${data.device_id}`} whole />],
            ['Generation', data.generation],
            ['Queued runs', data.queued_runs],
            ['Newest event', `seq ${data.last_seq}`],
            ['Created', <Moment key="created" at={data.created_at} />],
          ]}
        />
      )}
      {data !== undefined && <Thread id={id} lastSeq={data.last_seq} />}
      <section>
        <h2>Runs</h2>
        <LiveTable label="Runs of the conversation" list={runs} columns={RUN_COLUMNS} empty="It has no run yet." />
      </section>
    </Page>
  )
}
