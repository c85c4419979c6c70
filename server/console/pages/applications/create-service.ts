import type { Endpoint } from '@conversation-gateway/sdk/admin'
import { gateway } from '../../data/gateway.ts'
import { overview } from '../../data/samples.ts'
import { confirm } from '../../parts/dialogs.tsx'
import { membersIn, textIn } from '../../parts/entry-fields.tsx'

const isOf =
  (type: Endpoint['assistant']['type']) =>
  (entered: FormData): boolean =>
    textIn(entered, 'type') === type

export const askToCreateService = (appId: string, refresh: () => void): void =>
  confirm({
    title: `Create a service of ${appId}?`,
    consequences: [
      'It is published at once as version 1. Later versions are published on the command line.',
      'The device executes its runs. The ID of the service cannot be changed.',
    ],
    fields: [
      { name: 'endpoint_id', label: 'ID', placeholder: 'generated' },
      { name: 'name', label: 'Name', placeholder: 'none' },
      {
        name: 'device_id',
        label: 'Device',
        isRequired: true,
        suggestions: (overview.value?.devices ?? []).map(({ device_id }) => device_id),
      },
      { name: 'type', label: 'Assistant', options: ['echo', 'script', 'openai', 'module', 'http', 'worker'] },
      { name: 'url', label: 'URL', isRequired: true, isAsked: isOf('http') },
      { name: 'path', label: 'File', isRequired: true, isAsked: isOf('module') },
      { name: 'base_url', label: 'Base URL', isRequired: true, isAsked: isOf('openai') },
      { name: 'model', label: 'Model', isRequired: true, isAsked: isOf('openai') },
      { name: 'api_key_env', label: 'Variable of the key', placeholder: 'none', isAsked: isOf('openai') },
    ],
    action: 'Create service',
    run: async (entered) => {
      const { endpoint_id, secret } = await gateway().endpoints.create(appId, {
        device_id: textIn(entered, 'device_id'),
        ...membersIn(entered, ['endpoint_id', 'name']),
        assistant: assistantIn(entered),
      })
      refresh()
      return secret === undefined ? undefined : { secret, title: `New secret of service ${endpoint_id}` }
    },
    done: 'The service is published.',
  })

const assistantIn = (entered: FormData): Endpoint['assistant'] => {
  const type = textIn(entered, 'type')
  switch (type) {
    case 'http':
      return { type, url: textIn(entered, 'url') }
    case 'module':
      return { type, path: textIn(entered, 'path') }
    case 'openai':
      return {
        type,
        base_url: textIn(entered, 'base_url'),
        model: textIn(entered, 'model'),
        ...membersIn(entered, ['api_key_env']),
      }
    case 'script':
    case 'worker':
      return { type }
    default:
      return { type: 'echo' }
  }
}
