import type { TryItOperation } from '../../.vitepress/theme/try-it/operation.ts'
import type { Contract, ContractOperation } from '../contract.ts'
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
        example: exampleText(contract, parameter),
      })),
    takesSubject: parametersOf(contract, operation).some(({ name }) => name === SUBJECT_HEADER),
    body:
      body === null
        ? null
        : { isJson, example: isJson ? JSON.stringify(exampleBody(contract, operation) ?? {}, null, 2) : '' },
  }
}

const SUBJECT_HEADER = 'X-Service-Subject'
