import type { Device, DeviceLoad } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { overview } from '../../data/samples.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { LoadBar } from '../../parts/load-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago } from '../../parts/time.tsx'
import { askToCreateDevice } from './create-device.ts'
import { DeviceSwitches } from './device-switches.tsx'

export const Devices = () => {
  const list = useLiveList({
    key: 'devices',
    read: async (query, signal) => (await gateway().devices.list(query, { signal })).devices,
    idOf: (device) => device.device_id,
    everyMs: LIVE_MS,
  })
  const columns: readonly Column<Device>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (device) => (
        <span class="row-actions">
          <DeviceSwitches device={device} refresh={list.refresh} isSmall />
        </span>
      ),
      grow: 1.9,
    },
  ]
  return (
    <Page
      title="Devices"
      actions={
        <ActionButton operation="createDevice" onClick={() => askToCreateDevice(list.refresh)}>
          New device
        </ActionButton>
      }
    >
      <LiveTable label="Devices" list={list} columns={columns} empty="No device yet. Create one with New device." />
    </Page>
  )
}

const loadOf = ({ device_id }: Device): DeviceLoad | undefined =>
  overview.value?.devices.find((load) => load.device_id === device_id)

const COLUMNS: readonly Column<Device>[] = [
  {
    title: 'Device',
    cell: ({ device_id, name }) => (
      <span title={name ?? undefined}>
        <Identifier id={device_id} href={`/devices/${device_id}`} whole />
      </span>
    ),
    grow: 1.4,
  },
  {
    title: 'State',
    cell: ({ state, online }) => <StatePill state={state === 'active' && !online ? 'offline' : state} />,
    grow: 1.1,
  },
  {
    title: 'Slots',
    cell: (device) => {
      const load = loadOf(device)
      return load === undefined ? '–' : <LoadBar used={load.executing} of={load.run_slots} />
    },
    only: 'wide',
    grow: 1.7,
  },
  { title: 'Queued', cell: (device) => loadOf(device)?.queued ?? '–', isNumber: true, only: 'wide', grow: 0.8 },
  {
    title: 'Last heartbeat',
    cell: ({ last_seen_at }) => (last_seen_at === null ? 'never' : <Ago at={last_seen_at} />),
    only: 'wide',
  },
]
