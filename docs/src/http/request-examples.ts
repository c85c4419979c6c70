import type { SdkMethod } from '../../../openapi/src/generate/sdk-methods.ts'
import {
  bodyOf,
  type Contract,
  type ContractOperation,
  type DocumentedParameter,
  exampleOf,
  type Json,
  parametersOf,
} from '../contract.ts'

/** The shell variable with the gateway's URL. */
const BASE_VARIABLE = '$GATEWAY_BASE_URL'
/** Headers that clients add automatically, or that an example does not need. */
const LEFT_OUT = new Set(['X-Request-Id', 'Last-Event-ID'])
const STANDARD_SUBJECT = 'customer-4711'

/** The example value of a parameter, as text. */
export const exampleText = (contract: Contract, { example, schema }: DocumentedParameter): string => {
  const value = example ?? exampleOf(contract, schema) ?? schema.default
  return value === undefined || value === null ? '' : String(value)
}

/** The request as a shell command. */
export const curlExample = (contract: Contract, { path, httpMethod, operation }: ContractOperation): string => {
  const parameters = parametersOf(contract, operation)
  const isSigned = operation.security.some((alternative) => 'webhookSignature' in alternative)
  const headers = parameters.filter(
    ({ in: place, name, required }) => place === 'header' && required && !LEFT_OUT.has(name),
  )
  const body = bodyOf(operation)
  const example = exampleBody(contract, operation)
  const isStream = operation['x-stream'] !== undefined
  const lines = [
    `curl ${isStream ? '-N ' : ''}-sS ${httpMethod === 'GET' ? '' : `-X ${httpMethod} `}"${BASE_VARIABLE}${filledPath(contract, path, parameters)}${exampleQuery(contract, parameters)}"`,
    ...(isSigned ? [] : [`-H "Authorization: Bearer ${keyVariable(operation)}"`]),
    ...headers.map((header) => `-H ${quote(`${header.name}: ${exampleText(contract, header)}`)}`),
    ...(body === null ? [] : bodyLines(body.mediaType, example)),
    ...(isBytes(operation) ? ['-o content'] : []),
  ]
  return lines.join(' \\\n  ')
}

const bodyLines = (mediaType: string, example: Json | undefined): string[] =>
  mediaType === 'application/json'
    ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(example ?? {}))}`]
    : ["-H 'Content-Type: application/octet-stream'", '--data-binary @content']

const isBytes = ({ responses }: ContractOperation['operation']): boolean => {
  const success = responses['200']
  return success !== undefined && 'content' in success && success.content?.['*/*'] !== undefined
}

const keyVariable = ({ security }: ContractOperation['operation']): string => {
  const schemes = security.flatMap(Object.keys)
  if (schemes.includes('adminToken')) return '$GATEWAY_ADMIN_TOKEN'
  return schemes.includes('deviceKey') ? '$GATEWAY_DEVICE_KEY' : '$GATEWAY_API_KEY'
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const filledPath = (contract: Contract, path: string, parameters: readonly DocumentedParameter[]): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, wire: string) => {
    const parameter = parameters.find(({ in: place, name }) => place === 'path' && name === wire)
    return parameter === undefined ? `{${wire}}` : encodeURIComponent(exampleText(contract, parameter))
  })

const exampleQuery = (contract: Contract, parameters: readonly DocumentedParameter[]): string => {
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  return query.length === 0
    ? ''
    : `?${query.map((each) => `${each.name}=${encodeURIComponent(exampleText(contract, each))}`).join('&')}`
}

export const exampleBody = (contract: Contract, operation: ContractOperation['operation']): Json | undefined => {
  const body = bodyOf(operation)
  return body === null ? undefined : exampleOf(contract, body.schema)
}

/** The call of the SDK's method, as a program that compiles. */
export const typescriptExample = (contract: Contract, operation: ContractOperation, method: SdkMethod): string =>
  [...clientLines(operation.operation), ...callLines(contract, operation, method)].join('\n')

const clientLines = ({ security }: ContractOperation['operation']): string[] =>
  security.some((alternative) => 'adminToken' in alternative)
    ? [
        "import { createAdminClient } from '@conversation-gateway/sdk/admin'",
        '',
        "const client = createAdminClient({ adminToken: process.env.GATEWAY_ADMIN_TOKEN ?? '' })",
      ]
    : [
        "import { createClient } from '@conversation-gateway/sdk'",
        '',
        `const client = createClient({ subject: '${STANDARD_SUBJECT}' })`,
      ]

const callLines = (contract: Contract, { operation }: ContractOperation, method: SdkMethod): string[] => {
  const parameters = parametersOf(contract, operation)
  const path = method.pathArguments.map(({ wire }) => {
    const parameter = parameters.find(({ in: place, name }) => place === 'path' && name === wire)
    return `'${parameter === undefined ? '' : exampleText(contract, parameter)}'`
  })
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  const queryText = `{ ${query.map((each) => `${each.name}: ${source(exampleOfParameter(contract, each))}`).join(', ')} }`
  const args = [
    ...path,
    ...(method.query === 'required' ? [queryText] : []),
    ...(method.body.kind === 'json' ? [source(exampleBody(contract, operation) ?? {})] : []),
    ...(method.body.kind === 'bytes' ? ["new TextEncoder().encode('Hello')"] : []),
  ]
  const call = `client.${method.tag}.${method.name}(${args.join(', ')})`
  if (operation['x-stream'] !== undefined)
    return [`for await (const event of ${call}) console.log(event.seq, event.type, event.payload)`]
  if (operation['x-pagination'] !== undefined) return [`for await (const item of ${call}) console.log(item)`]
  if (method.answer.kind === 'nothing') return [`await ${call}`]
  if (method.answer.kind === 'bytes') return [`const content = await ${call}`, 'console.log(content.size)']
  return [`const answer = await ${call}`, 'console.log(answer)']
}

const exampleOfParameter = (contract: Contract, { example, schema }: DocumentedParameter): Json =>
  example ?? exampleOf(contract, schema) ?? ''

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const LINE_LENGTH = 72

/** A value as TypeScript source. */
const source = (value: Json, indent = ''): string => {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((each) => source(each, deeper))
    : Object.entries(value).map(
        ([name, each]) => `${IDENTIFIER.test(name) ? name : `'${name}'`}: ${source(each, deeper)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = members.length === 0 ? (isList ? '[]' : '{}') : `${open}${members.join(', ')}${close}`
  if (line.length <= LINE_LENGTH && !line.includes('\n')) return line
  return `${open.trim()}\n${members.map((member) => `${deeper}${member},`).join('\n')}\n${indent}${close.trim()}`
}
