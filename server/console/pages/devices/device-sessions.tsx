import type { DeviceSession } from '@conversation-gateway/sdk/admin'
import { gateway, LIVE_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { LoadBar } from '../../parts/load-bar.tsx'
import { Ago } from '../../parts/time.tsx'

/** `useLiveList` compares records by `created_at`. */
type ListedSession = DeviceSession & { readonly created_at: string }

/** The workers that currently serve a device, with the name and version that they sent. */
export const DeviceSessions = ({ deviceId }: { deviceId: string }) => {
  const list = useLiveList({
    key: deviceId,
    read: async (query, signal) => {
      const { sessions } = await gateway().devices.listSessions(deviceId, query, { signal })
      return sessions.map((session) => ({ ...session, created_at: session.opened_at }))
    },
    idOf: (session) => session.session_id,
    everyMs: LIVE_MS,
  })
  return (
    <section>
      <header class="section-head">
        <h2>Workers</h2>
      </header>
      <LiveTable
        label="Workers"
        list={list}
        columns={COLUMNS}
        empty="No worker is connected. Start one with a key of this device."
      />
    </section>
  )
}

const COLUMNS: readonly Column<ListedSession>[] = [
  { title: 'Name', cell: ({ name, session_id }) => <span title={session_id}>{name}</span>, grow: 1.2 },
  { title: 'Version', cell: ({ version }) => version ?? '–', only: 'wide' },
  { title: 'Slots', cell: ({ runs, slots }) => <LoadBar used={runs} of={slots} />, grow: 1.5 },
  { title: 'Key', cell: ({ key_id }) => <Identifier id={key_id} />, only: 'wider' },
  { title: 'Last heartbeat', cell: ({ last_heartbeat_at }) => <Ago at={last_heartbeat_at} />, grow: 1.4 },
  { title: 'Connected', cell: ({ opened_at }) => <Ago at={opened_at} />, only: 'wide' },
]
