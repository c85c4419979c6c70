import { useState } from 'preact/hooks'
import { gateway } from '../data/gateway.ts'
import { confirm } from '../parts/dialogs.tsx'

const ROLES = {
  read: 'reads everything except texts, and changes nothing',
  operate: 'also controls admission and devices, decides approvals, cancels runs, retries deliveries and revokes keys',
  admin: 'changes everything, operators included',
} as const
type Role = keyof typeof ROLES
const NAMES: readonly Role[] = ['read', 'operate', 'admin']

/** The form for a new operator's token: its name, its role, and whether it may read messages. */
export const NewOperator = ({ onCreated }: { onCreated: () => void }) => {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('read')
  const [mayReadText, setMayReadText] = useState(false)
  const submit = (event: Event): void => {
    event.preventDefault()
    confirm({
      title: `Create a token for ${name}?`,
      consequences: [
        `Its role is ${role}: ${ROLES[role]}.`,
        mayReadText ? 'It can read the texts of messages on request.' : 'It cannot read the texts of messages.',
        'The token is shown once.',
      ],
      action: 'Create token',
      run: async () => {
        const { token } = await gateway().operators.create({ name, role, may_read_text: mayReadText })
        setName('')
        onCreated()
        return { secret: token, title: `New token of ${name}` }
      },
      done: `${name} may operate the gateway.`,
    })
  }
  return (
    <form class="filters new" aria-label="New operator" onSubmit={submit}>
      <label>
        <span>Name</span>
        <input required maxLength={100} value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label>
        <span>Role</span>
        <select
          value={role}
          onChange={({ currentTarget }) => setRole(NAMES.find((each) => each === currentTarget.value) ?? 'read')}
        >
          {NAMES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={mayReadText}
          onChange={({ currentTarget }) => setMayReadText(currentTarget.checked)}
        />
        <span>May read messages</span>
      </label>
      <button type="submit">New operator</button>
    </form>
  )
}
