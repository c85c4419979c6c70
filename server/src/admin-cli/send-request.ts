import type { Connection } from './connection.ts'
import type { AdminRequest } from './read-request.ts'

export interface AdminAnswer {
  readonly status: number
  readonly text: string
  /** The answer as JSON; undefined if it is not JSON. */
  readonly body: unknown
}

/** No complete answer arrived. The message gives the reason and contains no secret. */
export class NoAnswer extends Error {}

const TIMEOUT_MS = 60_000

/** Sends one request of the operator API. Follows no redirect, so that the token goes nowhere else. */
export const sendRequest = async (
  { origin, token }: Connection,
  { method, path, query, body }: AdminRequest,
): Promise<AdminAnswer> => {
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${origin}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new NoAnswer(explainFailure(error, origin))
  })
  const text = await response.text().catch(() => {
    throw new NoAnswer(`The connection to ${origin} broke before the answer was complete.`)
  })
  return { status: response.status, text, body: parseJson(text) }
}

const explainFailure = (error: unknown, origin: string): string => {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${origin} did not answer within ${TIMEOUT_MS / 1000} s. Whether the request was carried out is not known.`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason was given'
  if (code === 'ECONNREFUSED')
    return `No gateway listens at ${origin}. Start it, or give its address with --url or GATEWAY_BASE_URL.`
  const hint = /CERT|SIGNED|ISSUER/.test(code)
    ? ' NODE_EXTRA_CA_CERTS names a file of further certificates to trust.'
    : ''
  return `${origin} cannot be reached (${code}).${hint}`
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
