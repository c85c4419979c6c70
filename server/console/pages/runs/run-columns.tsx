import type { RunRecord } from '@conversation-gateway/sdk/admin'
import type { Column } from '../../parts/data-table.tsx'
import { formatDuration } from '../../parts/format.ts'
import { Identifier } from '../../parts/identifier.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago } from '../../parts/time.tsx'

/** The columns of a list of runs. */
export const RUN_COLUMNS: readonly Column<RunRecord>[] = [
  {
    title: 'Run',
    cell: ({ run_id }) => <Identifier id={run_id} href={`/runs/${run_id}`} />,
    below: ({ app_id }) => app_id,
    grow: 1.65,
  },
  {
    title: 'State',
    cell: ({ state, error }) => (
      <>
        <StatePill state={state} />
        {error !== null && (
          <code class="cause" title={error.message}>
            {error.code}
          </code>
        )}
      </>
    ),
    grow: 1.75,
  },
  { title: 'Application', cell: ({ app_id }) => app_id, only: 'wide' },
  { title: 'Subject', cell: ({ subject }) => subject ?? 'erased', only: 'wider', grow: 1.2 },
  { title: 'Service', cell: ({ endpoint_id }) => endpoint_id, only: 'wide' },
  { title: 'Device', cell: ({ device_id }) => device_id, only: 'wider' },
  { title: 'Duration', cell: (run) => durationOf(run), isNumber: true, only: 'wide', grow: 0.8 },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, grow: 1.2 },
]

const durationOf = ({ created_at, finished_at }: RunRecord): string =>
  finished_at === null ? '' : formatDuration(Date.parse(finished_at) - Date.parse(created_at))
