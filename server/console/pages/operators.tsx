import type { Operator } from '@conversation-gateway/sdk/admin'
import { gateway, SLOW_MS } from '../data/gateway.ts'
import { useLiveList } from '../data/live-list.ts'
import { may } from '../data/permissions.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Column } from '../parts/data-table.tsx'
import { confirm } from '../parts/dialogs.tsx'
import { Identifier } from '../parts/identifier.tsx'
import { LiveTable } from '../parts/live-table.tsx'
import { Page } from '../parts/page.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { Ago } from '../parts/time.tsx'
import { NewOperator } from './new-operator.tsx'

/** Who may operate the gateway. */
export const Operators = () => {
  const list = useLiveList({
    key: 'operators',
    read: async (query, signal) => (await gateway().operators.list(query, { signal })).operators,
    idOf: (operator) => operator.operator_id,
    everyMs: SLOW_MS,
  })
  const columns: readonly Column<Operator>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (operator) =>
        stateOf(operator) === 'active' && (
          <ActionButton
            operation="revokeOperator"
            class="small"
            label={`Revoke ${operator.name}`}
            onClick={() => askToRevoke(operator, list.refresh)}
          >
            Revoke
          </ActionButton>
        ),
    },
  ]
  return (
    <Page title="Operators">
      {may('createOperator') && <NewOperator onCreated={list.refresh} />}
      <LiveTable
        label="Operators"
        list={list}
        columns={columns}
        empty="No operator yet: GATEWAY_ADMIN_TOKEN is the only token. Give each colleague one of their own."
      />
    </Page>
  )
}

const stateOf = ({ revoked_at, expires_at }: Operator): 'active' | 'revoked' | 'expired' => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

const COLUMNS: readonly Column<Operator>[] = [
  { title: 'Name', cell: ({ name }) => name, below: ({ role }) => role, grow: 1.4 },
  { title: 'Role', cell: ({ role }) => role, only: 'wide', grow: 0.7 },
  { title: 'Messages', cell: ({ may_read_text }) => (may_read_text ? 'may read' : 'hidden'), only: 'wide', grow: 0.8 },
  { title: 'State', cell: (operator) => <StatePill state={stateOf(operator)} /> },
  { title: 'Token', cell: ({ prefix }) => <Identifier id={prefix} />, only: 'wider', grow: 1.4 },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Ago at={last_used_at} />),
    only: 'wide',
  },
]

const askToRevoke = ({ operator_id, name }: Operator, refresh: () => void): void =>
  confirm({
    title: `Revoke the token of ${name}?`,
    consequences: [
      'Requests with it are answered with 401.',
      'Its changes stay in the audit log.',
      'A revoked token cannot be restored.',
    ],
    action: 'Revoke token',
    isDangerous: true,
    run: async () => {
      await gateway().operators.revoke(operator_id)
      refresh()
    },
    done: `The token of ${name} is revoked.`,
  })
