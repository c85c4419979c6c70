import { gateway } from '../../data/gateway.ts'
import { confirm } from '../../parts/dialogs.tsx'
import { membersIn } from '../../parts/entry-fields.tsx'

export const askToCreateDevice = (refresh: () => void): void =>
  confirm({
    title: 'Create a device?',
    consequences: [
      'Processes with the role device execute its runs, unless it gets a key: then workers with that key do.',
      'Its ID cannot be changed.',
    ],
    fields: [
      { name: 'device_id', label: 'ID', placeholder: 'generated' },
      { name: 'name', label: 'Name', placeholder: 'none' },
    ],
    action: 'Create device',
    run: async (entered) => {
      await gateway().devices.create(membersIn(entered, ['device_id', 'name']))
      refresh()
    },
    done: 'The device was created.',
  })
