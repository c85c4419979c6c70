import type { TryItOperation } from './operation.ts'

/** The values of the form. */
export interface TryItInput {
  readonly credential: string
  readonly subject: string
  readonly idempotencyKey: string
  /** By name. Empty optional values are left out. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
}

export interface TryItRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * The request that the form describes.
 * @throws {Error} with a sentence for the reader when a value is missing or the body is not JSON.
 */
export const buildRequest = (operation: TryItOperation, input: TryItInput, pageOrigin: string): TryItRequest => {
  const missing = operation.parameters.filter(({ name, isRequired }) => isRequired && !input.parameters[name]?.trim())
  if (missing.length > 0) throw new Error(`Fill in ${missing.map(({ name }) => name).join(', ')} first.`)
  if (input.credential.trim() === '')
    throw new Error(
      operation.credential === 'apiKey' ? 'Fill in an application key first.' : 'Fill in the admin token first.',
    )
  return {
    url: urlOf(operation, input, pageOrigin),
    method: operation.method,
    headers: headersOf(operation, input),
    body: operation.body === null ? null : bodyOf(operation.body.isJson, input.body),
  }
}

const urlOf = ({ path, parameters }: TryItOperation, input: TryItInput, pageOrigin: string): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.parameters[name]?.trim() ?? ''),
  )
  const url = new URL(filled, pageOrigin)
  for (const { name, place } of parameters) {
    const value = input.parameters[name]?.trim()
    if (place === 'query' && value) url.searchParams.set(name, value)
  }
  return url.href
}

const headersOf = (operation: TryItOperation, input: TryItInput): Record<string, string> => {
  const headers: Record<string, string> = { Authorization: `Bearer ${input.credential.trim()}` }
  if (operation.takesSubject) headers['X-Service-Subject'] = input.subject.trim()
  if (operation.idempotencyHeader !== null) headers[operation.idempotencyHeader] = input.idempotencyKey.trim()
  if (operation.body !== null)
    headers['Content-Type'] = operation.body.isJson ? 'application/json' : 'application/octet-stream'
  for (const { name, place } of operation.parameters) {
    const value = input.parameters[name]?.trim()
    if (place === 'header' && value) headers[name] = value
  }
  return headers
}

const bodyOf = (isJson: boolean, text: string): string => {
  if (!isJson) return text
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Error(`The body is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  return text
}

/** The request as a shell command, with a variable in place of the secret. */
export const toCurl = ({ url, method, headers, body }: TryItRequest, variable: string): string =>
  [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) =>
      name === 'Authorization' ? `-H "Authorization: Bearer $${variable}"` : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === null ? [] : [`-d ${quote(body)}`]),
  ].join(' \\\n  ')

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
