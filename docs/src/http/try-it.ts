import { DEMO } from '../../../server/src/gateway/bootstrap/demo.ts'
import type { TryItOperation } from '../../.vitepress/theme/try-it/operation.ts'
import type { Contract, ContractOperation, Json } from '../contract.ts'
import { bodyOf, parametersOf } from '../contract.ts'
import { escapeHtml } from '../markdown.ts'
import { exampleBody, exampleText } from './request-examples.ts'

/** The component that sends the request from the page, with the contract's example filled in. */
export const tryIt = (contract: Contract, given: ContractOperation): string =>
  `<TryIt spec="${escapeHtml(JSON.stringify(describeForTryIt(contract, given)))}" />`

const describeForTryIt = (contract: Contract, { path, httpMethod, operation }: ContractOperation): TryItOperation => {
  const body = bodyOf(operation)
  const isJson = body?.mediaType === 'application/json'
  return {
    id: operation.operationId,
    summary: operation.summary ?? operation.operationId,
    method: httpMethod,
    path,
    credential: operation.security.some((alternative) => 'adminToken' in alternative) ? 'adminToken' : 'apiKey',
    idempotencyHeader: operation['x-idempotent']?.header ?? null,
    isStream: operation['x-stream'] !== undefined,
    parameters: parametersOf(contract, operation)
      .filter(({ name }) => name !== operation['x-idempotent']?.header && name !== SUBJECT_HEADER)
      .map((parameter) => ({
        name: parameter.name,
        place: parameter.in,
        isRequired: parameter.required,
        example: parameter.name === 'endpoint_id' ? DEMO_ENDPOINT : exampleText(contract, parameter),
      })),
    takesSubject: parametersOf(contract, operation).some(({ name }) => name === SUBJECT_HEADER),
    body:
      body === null
        ? null
        : { isJson, example: isJson ? JSON.stringify(withDemo(exampleBody(contract, operation) ?? {}), null, 2) : '' },
  }
}

/** The endpoint that `npm start` creates, so that the form works at the first click. */
const DEMO_ENDPOINT = DEMO.echoEndpointId

/**
 * The example with the endpoint of the demo, and without deadlines, keys, attachments and data, which could be refused.
 */
const withDemo = (body: Json): Json => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { start_before, conversation_key, ...rest } = body as Readonly<Record<string, Json>>
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]): [string, Json] => {
      if (name === 'endpoint_id') return [name, DEMO_ENDPOINT]
      if (name !== 'input' || typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value]
      const { resource_ids, data, ...input } = value as Readonly<Record<string, Json>>
      return [name, input]
    }),
  )
}

const SUBJECT_HEADER = 'X-Service-Subject'
