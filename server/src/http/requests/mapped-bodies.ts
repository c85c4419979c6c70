import gatewayDocument from '@conversation-gateway/openapi/gateway.json' with { type: 'json' }
import type { Validator } from '../../domain/contract/validators.ts'
import { createValidators } from '../../domain/contract/validators.ts'
import type { MappedBodies, ParseMapped } from '../../domain/webhook-mapping.ts'

/** Validates mapped webhook events against the same schemas as request bodies. */
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
    // A value that passes the contract's validators has the generated types.
    return faults.length > 0 ? { faults } : { body: value as MappedBodies[typeof name] }
  }
}
