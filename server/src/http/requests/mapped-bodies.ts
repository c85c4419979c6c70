import gatewayDocument from '@conversation-gateway/openapi/gateway.json' with { type: 'json' }
import type { Validator } from '../../domain/contract/validators.ts'
import { createValidators } from '../../domain/contract/validators.ts'
import type { MappedBodies, ParseMapped } from '../../domain/webhook-mapping.ts'

/** What webhooks are mapped to is held against the same schemas as the bodies of requests. */
export const createMappedBodyParser = (): ParseMapped => {
  const compile = createValidators(gatewayDocument)
  const schema = (name: keyof MappedBodies): Validator => compile(`/components/schemas/${name}`)
  const validators = {
    CreateRun: schema('CreateRun'),
    SendMessage: schema('SendMessage'),
    ResetConversation: schema('ResetConversation'),
  } as const satisfies Record<keyof MappedBodies, Validator>
  return (name, value, search) => {
    const faults = validators[name](value, search)
    // What the contract's validators let through is what the generated types say.
    return faults.length > 0 ? { faults } : { body: value as MappedBodies[typeof name] }
  }
}
