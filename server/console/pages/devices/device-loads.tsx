import type { DeviceLoad } from '@conversation-gateway/sdk/admin'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LoadBar } from '../../parts/load-bar.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago } from '../../parts/time.tsx'

/** The load of each device. */
export const DeviceLoads = ({ loads }: { loads: readonly DeviceLoad[] }) => (
  <DataTable
    label="Load of devices"
    columns={COLUMNS}
    rows={loads}
    keyOf={({ device_id }) => device_id}
    empty="There is no device yet."
  />
)

const COLUMNS: readonly Column<DeviceLoad>[] = [
  {
    title: 'Device',
    cell: ({ device_id }) => <Identifier id={device_id} href={`/devices/${device_id}`} whole />,
    grow: 1.4,
  },
  {
    title: 'State',
    cell: ({ state, online }) => <StatePill state={state === 'active' && !online ? 'offline' : state} />,
  },
  {
    title: 'Slots',
    cell: ({ executing, run_slots }) => <LoadBar used={executing} of={run_slots} />,
    grow: 1.6,
  },
  { title: 'Queued', cell: ({ queued }) => queued, isNumber: true, only: 'wide', grow: 0.7 },
  { title: 'Waiting approval', cell: ({ waiting_approval }) => waiting_approval, isNumber: true, only: 'wide' },
  {
    title: 'Last heartbeat',
    cell: ({ last_seen_at }) => (last_seen_at === null ? 'never' : <Ago at={last_seen_at} />),
    only: 'wide',
  },
]
