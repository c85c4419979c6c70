import type { DeviceKey } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago } from '../../parts/time.tsx'

/** The keys with which workers serve a device; a new one is shown once. */
export const DeviceKeys = ({ deviceId }: { deviceId: string }) => {
  const list = useLiveList({
    key: deviceId,
    read: async (query, signal) => (await gateway().devices.listKeys(deviceId, query, { signal })).keys,
    idOf: (key) => key.key_id,
    everyMs: SLOW_MS,
  })
  const isFirst = list.isLoaded && list.items.length === 0
  const columns: readonly Column<DeviceKey>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (key) =>
        key.revoked_at === null && (
          <ActionButton operation="revokeDeviceKey" class="small" onClick={() => askToRevoke(key, list.refresh)}>
            Revoke
          </ActionButton>
        ),
    },
  ]
  return (
    <section>
      <header class="section-head">
        <h2>Worker keys</h2>
        <ActionButton operation="createDeviceKey" onClick={() => askToCreate(deviceId, isFirst, list.refresh)}>
          New key
        </ActionButton>
      </header>
      <LiveTable
        label="Worker keys"
        list={list}
        columns={columns}
        empty="It has no key: the gateway’s own processes execute its runs. A worker needs a key."
      />
    </section>
  )
}

const COLUMNS: readonly Column<DeviceKey>[] = [
  { title: 'Key', cell: ({ prefix }) => <Identifier id={prefix} />, grow: 1.4 },
  { title: 'Name', cell: ({ name }) => name ?? '–', only: 'wide' },
  { title: 'State', cell: ({ revoked_at }) => <StatePill state={revoked_at === null ? 'active' : 'revoked'} /> },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Ago at={last_used_at} />),
    only: 'wide',
  },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, only: 'wide' },
]

const askToCreate = (deviceId: string, isFirst: boolean, refresh: () => void): void =>
  confirm({
    title: `Create a key of ${deviceId}?`,
    consequences: [
      'A worker with this key executes runs of this device, and of no other.',
      ...(isFirst
        ? [
            'Once the device has a key, the gateway’s own processes no longer execute its runs, unless GATEWAY_DEVICES names it.',
          ]
        : []),
      'It is shown once. To rotate, start the workers with the new key and then revoke the old one.',
    ],
    action: 'Create key',
    run: async () => {
      const { key } = await gateway().devices.createKey(deviceId, {})
      refresh()
      return { secret: key, title: `New key of ${deviceId}` }
    },
    done: 'The key was created.',
  })

const askToRevoke = ({ device_id, key_id, name }: DeviceKey, refresh: () => void): void =>
  confirm({
    title: `Revoke ${name ?? key_id}?`,
    consequences: [
      'Within 5 seconds, requests of workers with this key are answered with 401.',
      'Their sessions end at once. Their runs are reconciling from then on, and end as interrupted.',
      'Other keys of the device keep working.',
      'A revoked key cannot be restored.',
    ],
    action: 'Revoke key',
    isDangerous: true,
    run: async () => {
      await gateway().devices.revokeKey(device_id, key_id)
      refresh()
    },
    done: 'The key is revoked.',
  })
