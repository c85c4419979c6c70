import { gateway } from '../../data/gateway.ts'
import { confirm } from '../../parts/dialogs.tsx'
import { membersIn, textIn } from '../../parts/entry-fields.tsx'

export const askToCreateApplication = (refresh: () => void): void =>
  confirm({
    title: 'Create an application?',
    consequences: [
      'It can send requests once it has a key, and use its own services only.',
      'Its ID cannot be changed.',
    ],
    fields: [
      { name: 'app_id', label: 'ID', placeholder: 'generated' },
      { name: 'owner_id', label: 'Owner', isRequired: true },
      { name: 'name', label: 'Name', placeholder: 'none' },
    ],
    action: 'Create application',
    run: async (entered) => {
      await gateway().apps.create({ owner_id: textIn(entered, 'owner_id'), ...membersIn(entered, ['app_id', 'name']) })
      refresh()
    },
    done: 'The application was created.',
  })
