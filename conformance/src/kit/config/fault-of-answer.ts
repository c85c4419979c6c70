import type { ValidateFunction } from 'ajv'
import control from '#openapi/control.json' with { type: 'json' }
import { createValidator, schemaAt } from '#openapi/validator'
import type { Ability } from './abilities.ts'

let validators: ((ability: Ability) => ValidateFunction) | null = null

/** Describes how an ability's answer, in the form of the protocol, violates its schema. Null if it is valid. */
export function faultOfAnswer(ability: Ability, answer: unknown): string | null {
  validators ??= createValidators()
  const validate = validators(ability)
  if (validate(answer)) return null
  const [{ instancePath, message } = { instancePath: '', message: undefined }] = validate.errors ?? []
  return `${instancePath === '' ? 'the answer' : instancePath} ${message ?? 'is invalid'}`
}

function createValidators(): (ability: Ability) => ValidateFunction {
  const ajv = createValidator(control)
  return (ability) => {
    const { 200: success } = control.paths[`/${ability}`].post.responses
    const place =
      '$ref' in success ? ['components', 'responses', 'Done'] : ['paths', `/${ability}`, 'post', 'responses', '200']
    const reference = schemaAt(...place, 'content', 'application/json', 'schema')
    return ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  }
}
