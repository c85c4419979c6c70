import type { Components, Document } from '../document/document.ts'
import { listOperations } from '../document/document.ts'
import { banner, toCamelCase } from './source-text.ts'

/** Limits as constants: those of `x-limits`, and those that operations declare. Converts seconds to milliseconds. */
export function generateLimits(document: Document): string {
  const limits = { ...document.components['x-limits'], ...statedByOperations(document) }
  const members = Object.entries(limits).map(([name, { value, description }]) => {
    const inMs = name.endsWith('_seconds')
    return `  /** ${description} */\n  ${toCamelCase(inMs ? name.replace(/seconds$/, 'ms') : name)}: ${inMs ? value * 1000 : value},\n`
  })
  return `${banner('components.x-limits and the operations of openapi/gateway.yaml')}
/** The limits of the contract. Every name ends in its unit. */
export const LIMITS = {
${members.join('')}} as const

/** The header of the idempotency key. */
export const IDEMPOTENCY_KEY_HEADER = '${onlyValue(
    'key header',
    keysOf(document).map(({ header }) => header),
  )}'
`
}

function statedByOperations(document: Document): NonNullable<Components['x-limits']> {
  const bodies = (type: string): number[] =>
    listOperations(document).flatMap(({ operation: { requestBody: body } }) =>
      body && type in body.content ? [body['x-max-body-bytes']] : [],
    )
  return {
    json_body_bytes: {
      value: onlyValue('JSON body', bodies('application/json')),
      description: 'Maximum size of the JSON body of a request.',
    },
    attachment_bytes: {
      value: onlyValue('content', bodies('*/*')),
      description: 'Maximum size of the content of an attachment (D-32).',
    },
    result_resources: {
      value: Number(document.components.schemas.RunResult?.properties?.resource_ids?.maxItems),
      description: 'Maximum number of attachments in the result of a run.',
    },
    idempotency_key_seconds: {
      value: onlyValue(
        'retention',
        keysOf(document).map(({ retention_seconds }) => retention_seconds),
      ),
      description: 'How long a request is replayed under its key (D-12).',
    },
  }
}

const keysOf = (document: Document) =>
  listOperations(document).flatMap(({ operation }) => operation['x-idempotent'] ?? [])

/** Throws unless all operations declare the same value, because each value would need its own constant. */
function onlyValue<Value>(what: string, values: readonly Value[]): Value {
  const different = [...new Set(values)]
  const [value] = different
  if (value === undefined || different.length > 1)
    throw new Error(`the operations must declare one value, but declare ${different.length}: ${what}`)
  return value
}
