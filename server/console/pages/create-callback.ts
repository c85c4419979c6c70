import type { Callback } from '@conversation-gateway/sdk/admin'
import { gateway } from '../data/gateway.ts'
import { confirm } from '../parts/dialogs.tsx'
import { membersIn, textIn } from '../parts/entry-fields.tsx'

type CallbackEvent = Callback['events'][number]

/** The compiler reports an event of the contract that is missing here. */
const IS_EVENT: Readonly<Record<CallbackEvent, true>> = {
  'run.completed': true,
  'run.failed': true,
  'run.cancelled': true,
  'run.interrupted': true,
  'run.expired': true,
  'approval.required': true,
}
const isEvent = (text: string): text is CallbackEvent => Object.hasOwn(IS_EVENT, text)
const EVENTS = Object.keys(IS_EVENT).filter(isEvent)

export const askToCreateCallback = (refresh: () => void): void =>
  confirm({
    title: 'Create a callback?',
    consequences: [
      'From now on, the receiver gets these events of all services that the application has on the device of this service.',
      'Its host must be one of SERVICE_GATEWAY_CALLBACK_HOSTS. The signing secret is shown once.',
    ],
    fields: [
      { name: 'callback_id', label: 'ID', placeholder: 'generated' },
      { name: 'app_id', label: 'Application', isRequired: true },
      { name: 'endpoint_id', label: 'Service', isRequired: true },
      { name: 'url', label: 'Receiver', isRequired: true, placeholder: 'https://…' },
      { name: 'events', label: 'Events', options: EVENTS, chosen: EVENTS },
    ],
    action: 'Create callback',
    run: async (entered) => {
      const { callback_id, secret } = await gateway().callbacks.create({
        app_id: textIn(entered, 'app_id'),
        endpoint_id: textIn(entered, 'endpoint_id'),
        url: textIn(entered, 'url'),
        events: EVENTS.filter((type) => entered.getAll('events').includes(type)),
        ...membersIn(entered, ['callback_id']),
      })
      refresh()
      return secret === undefined ? undefined : { secret, title: `New secret of callback ${callback_id}` }
    },
    done: 'The callback was created.',
  })
