import type { Key } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../../data/gateway.ts'
import { useLiveList } from '../../data/live-list.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { confirm } from '../../parts/dialogs.tsx'
import { membersIn } from '../../parts/entry-fields.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { LiveTable } from '../../parts/live-table.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Ago, Moment } from '../../parts/time.tsx'

const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write'] as const

/** The keys of an application; a new one is shown once. */
export const ApplicationKeys = ({ appId }: { appId: string }) => {
  const list = useLiveList({
    key: appId,
    read: async (query, signal) => (await gateway().apps.listKeys(appId, query, { signal })).keys,
    idOf: (key) => key.key_id,
    everyMs: SLOW_MS,
  })
  const columns: readonly Column<Key>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (key) =>
        stateOf(key) === 'active' && (
          <ActionButton operation="revokeKey" class="small" onClick={() => askToRevoke(key, list.refresh)}>
            Revoke
          </ActionButton>
        ),
    },
  ]
  return (
    <section>
      <header class="section-head">
        <h2>Keys</h2>
        <ActionButton operation="createKey" onClick={() => askToCreate(appId, list.refresh)}>
          New key
        </ActionButton>
      </header>
      <LiveTable
        label="Keys"
        list={list}
        columns={columns}
        empty="It has no key yet, so it cannot send requests. Create one with New key."
      />
    </section>
  )
}

const stateOf = ({ revoked_at, expires_at }: Key): 'active' | 'revoked' | 'expired' => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

const COLUMNS: readonly Column<Key>[] = [
  { title: 'Key', cell: ({ key_id, prefix }) => <Identifier id={prefix ?? key_id} />, grow: 1.4 },
  { title: 'Name', cell: ({ name }) => name ?? '–', only: 'wide' },
  { title: 'State', cell: (key) => <StatePill state={stateOf(key)} /> },
  {
    title: 'Scopes',
    cell: ({ scopes }) => (
      <span title={scopes.join(', ')}>{scopes.length === SCOPES.length ? 'all' : scopes.join(', ')}</span>
    ),
    only: 'wide',
    grow: 1.6,
  },
  {
    title: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Moment at={expires_at} />),
    only: 'wider',
  },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Ago at={last_used_at} />),
    only: 'wide',
  },
  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, only: 'wide' },
]

const askToCreate = (appId: string, refresh: () => void): void =>
  confirm({
    title: `Create a key of ${appId}?`,
    consequences: [
      'With all scopes it can do everything that an application can: read and write conversations and runs.',
      'It is shown once. To rotate, deploy the new key and then revoke the old one.',
    ],
    fields: [
      { name: 'name', label: 'Name', placeholder: 'none' },
      { name: 'scopes', label: 'Scopes', options: SCOPES, chosen: SCOPES },
    ],
    action: 'Create key',
    run: async (entered) => {
      const { key } = await gateway().apps.createKey(appId, {
        ...membersIn(entered, ['name']),
        scopes: SCOPES.filter((scope) => entered.getAll('scopes').includes(scope)),
      })
      refresh()
      return { secret: key, title: `New key of ${appId}` }
    },
    done: 'The key was created.',
  })

const askToRevoke = ({ app_id, key_id, name }: Key, refresh: () => void): void =>
  confirm({
    title: `Revoke ${name ?? key_id}?`,
    consequences: [
      'Within 5 seconds, every process answers requests with this key with 401 and closes its streams.',
      'Other keys of the application keep working.',
      'A revoked key cannot be restored.',
    ],
    action: 'Revoke key',
    isDangerous: true,
    run: async () => {
      await gateway().apps.revokeKey(app_id, key_id)
      refresh()
    },
    done: 'The key is revoked.',
  })
