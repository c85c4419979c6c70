import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { CreateWebhook } from '@conversation-gateway/openapi/generated/admin-closed'
import type { ResetConversation } from '@conversation-gateway/openapi/generated/gateway-closed'
import { pointerOfPath, readField } from './field-path.ts'
import { parsedOf } from './json/find-value.ts'
import type { FaultSearch } from './json/limits.ts'
import { faultSearchOf } from './json/limits.ts'
import { readPart } from './json/read-value.ts'
import type { ScannedJson } from './json/scanned-json.ts'
import { kindOf, QUOTE } from './json/scanned-json.ts'
import type { TakenMessage, TakenRun } from './message-input.ts'

/** The configuration of an integration, as in the contract. */
export type WebhookConfiguration = Omit<CreateWebhook, 'integration_id' | 'app_id' | 'secret' | 'enabled'> & {
  readonly enabled: boolean
}

/** API bodies that events are mapped to. */
export interface MappedBodies {
  readonly CreateRun: TakenRun
  readonly SendMessage: TakenMessage
  readonly ResetConversation: ResetConversation
}

/** Validates a value as a body of the contract, or returns its faults. */
export type ParseMapped = <Name extends keyof MappedBodies>(
  name: Name,
  value: unknown,
  search: FaultSearch,
) => { readonly body: MappedBodies[Name] } | { readonly faults: readonly Fault[] }

/** The action of an event. `run`: in a new conversation, or in the conversation of a business key. */
export type WebhookPlan =
  | { readonly action: 'run'; readonly body: TakenRun }
  | { readonly action: 'message'; readonly conversationId: string; readonly body: TakenMessage }
  | { readonly action: 'reset'; readonly conversationId: string; readonly body: ResetConversation }
  | { readonly action: 'cancel'; readonly runId: string }

/** Whether the event is of a type that the integration accepts; a value that is not a string has no type. */
export const acceptsEvent = ({ event_type_field, event_types }: WebhookConfiguration, event: ScannedJson): boolean => {
  const reading = readField(event, event_type_field)
  if (reading.kind !== 'value' || kindOf(event, reading.entry) !== QUOTE) return false
  const given = parsedOf(event, reading.entry)
  return event_types.some((type) => type === given)
}

/**
 * Maps an event to its action by the configuration's paths. Only the values at these paths are validated: first by the
 * rules for bodies (D-56), then by the contract, without type conversion. Faults point into the event.
 */
export const planWebhook = (
  configuration: WebhookConfiguration,
  event: ScannedJson,
  parse: ParseMapped,
): WebhookPlan | { readonly faults: readonly Fault[] } => {
  const faults: Fault[] = []
  const read = (path: string | undefined, verbatim = false): unknown => {
    if (path === undefined) return undefined
    const reading = readField(event, path)
    if (reading.kind === 'blocked') faults.push({ pointer: reading.pointer, message: 'must be an object' })
    if (reading.kind !== 'value') return undefined
    const part = readPart(event, reading.entry, { verbatim })
    if ('value' in part) return part.value
    faults.push(...part.faults.map(({ pointer, message }) => ({ pointer: pointerOfPath(path) + pointer, message })))
    return undefined
  }
  const require = (path: string | undefined): unknown => {
    const found = faults.length
    const value = read(path)
    if (value === undefined && faults.length === found)
      faults.push({ pointer: pointerOfPath(path ?? ''), message: 'is required' })
    return value
  }
  const requireText = (path: string | undefined): string => {
    const value = require(path)
    if (typeof value === 'string') return value
    if (value !== undefined) faults.push({ pointer: pointerOfPath(path ?? ''), message: 'must be a string' })
    return ''
  }
  const readInput = () => ({
    ...member('text', read(configuration.message_field)),
    ...member('data', read(configuration.data_field, true)),
    ...member('resource_ids', read(configuration.resource_ids_field)),
  })
  const readAs = <Name extends keyof MappedBodies, Plan extends WebhookPlan>(
    name: Name,
    value: unknown,
    plan: (body: MappedBodies[Name]) => Plan,
  ): Plan | { readonly faults: readonly Fault[] } => {
    if (faults.length > 0) return { faults }
    const parsed = parse(name, value, faultSearchOf(event))
    return 'faults' in parsed ? { faults: placeFaults(configuration, parsed.faults) } : plan(parsed.body)
  }

  switch (configuration.action) {
    case 'new':
      return readAs('CreateRun', { input: readInput() }, (body) => ({ action: 'run', body }))
    case 'message': {
      const input = readInput()
      if (configuration.match !== 'id') {
        const value = { conversation_key: require(configuration.conversation_key_field), input }
        return readAs('CreateRun', value, (body) => ({ action: 'run', body }))
      }
      const conversationId = requireText(configuration.conversation_id_field)
      const value = { expected_generation: require(configuration.generation_field), input }
      return readAs('SendMessage', value, (body) => ({ action: 'message', conversationId, body }))
    }
    case 'reset': {
      const conversationId = requireText(configuration.conversation_id_field)
      const value = {
        expected_generation: require(configuration.generation_field),
        ...member('busy_policy', configuration.busy_policy),
      }
      return readAs('ResetConversation', value, (body) => ({ action: 'reset', conversationId, body }))
    }
    case 'cancel': {
      const runId = requireText(configuration.run_id_field)
      return faults.length > 0 ? { faults } : { action: 'cancel', runId }
    }
  }
}

const member = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  value === undefined ? {} : { [name]: value }

/** Translates faults of a mapped body to locations in the event. */
export const placeFaults = (configuration: WebhookConfiguration, faults: readonly Fault[]): Fault[] => {
  const origins = [
    ['/input/text', configuration.message_field],
    ['/input/data', configuration.data_field],
    ['/input/resource_ids', configuration.resource_ids_field],
    ['/conversation_key', configuration.conversation_key_field],
    ['/expected_generation', configuration.generation_field],
  ] as const
  return faults.map(({ pointer, message }) => {
    for (const [mapped, path] of origins)
      if (path !== undefined && (pointer === mapped || pointer.startsWith(`${mapped}/`)))
        return { pointer: pointerOfPath(path) + pointer.slice(mapped.length), message }
    return { pointer: '', message }
  })
}

/** The missing members of a changed configuration for its action; the contract's schema checks new ones. */
export const findMissingFields = (configuration: WebhookConfiguration): Fault[] => {
  const { action, match = 'key' } = configuration
  const missing = (...names: readonly (keyof WebhookConfiguration)[]): Fault[] =>
    names
      .filter((name) => configuration[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, message: `is required for the action ${action}` }))
  switch (action) {
    case 'new':
      return missingInput(configuration)
    case 'message':
      return [
        ...missingInput(configuration),
        ...(match === 'key' ? missing('conversation_key_field') : missing('conversation_id_field', 'generation_field')),
      ]
    case 'reset':
      return missing('conversation_id_field', 'generation_field')
    case 'cancel':
      return missing('run_id_field')
  }
}

const missingInput = (configuration: WebhookConfiguration): Fault[] => {
  const { message_field, data_field, resource_ids_field } = configuration
  const isMissing = [message_field, data_field, resource_ids_field].every((path) => path === undefined)
  return isMissing
    ? [{ pointer: '', message: 'needs at least one of message_field, data_field, resource_ids_field' }]
    : []
}
