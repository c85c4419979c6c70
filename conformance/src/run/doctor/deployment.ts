import { readFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { UsageError } from '../../kit/config/usage-error.ts'
import { parseJson } from '../../kit/parse-json.ts'
import { utf8Header } from '../../kit/utf8-header.ts'

export interface DeploymentOptions {
  readonly baseUrl: string
  readonly key?: string
  readonly subject: string
  readonly endpointId?: string
  readonly caFile?: string
  /** Maximum wait for a ping, in milliseconds. */
  readonly waitMs: number
}

/** A connection to a deployment over plain HTTP, or over TLS with verified certificates. */
export interface Deployment extends DeploymentOptions {
  ask(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    json?: unknown,
  ): Promise<DeploymentAnswer>
  /** Resolves with the head. The caller must close the answer. */
  open(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly response: IncomingMessage; close(): void }>
}

export interface DeploymentAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown
}

const ANSWER_MS = 20_000

export function connectTo(options: DeploymentOptions): Deployment {
  const { baseUrl, key, subject, caFile } = options
  const ca = caFile === undefined ? {} : { ca: readCa(caFile) }
  const own = {
    'x-service-subject': utf8Header(subject),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  }
  const start = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<[ClientRequest, IncomingMessage]> =>
    new Promise((resolve, reject) => {
      const url = new URL(path, baseUrl)
      const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(
        url,
        {
          method,
          headers: { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          agent: false,
          timeout: ANSWER_MS,
          ...ca,
        },
        (response) => resolve([outgoing, response]),
      )
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)))
      outgoing.on('error', reject)
      // Sent as bytes: Node sends a string together with the head, and would encode the head as UTF-8, too.
      outgoing.end(body === undefined ? undefined : Buffer.from(body))
    })
  return {
    ...options,
    ask: async (method, path, headers = {}, json) => {
      const [, response] = await start(method, path, headers, json === undefined ? undefined : JSON.stringify(json))
      const text = (await buffer(response)).toString('utf8')
      return { status: response.statusCode ?? 0, headers: response.headers, body: parseJson(text) }
    },
    open: async (path, headers = {}) => {
      const [outgoing, response] = await start('GET', path, { accept: 'text/event-stream', ...headers })
      response.socket.setTimeout(0)
      return { response, close: () => outgoing.destroy() }
    },
  }
}

const readCa = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`--ca ${file} cannot be read.`)
  }
}

/** A text member of an answer's body. */
export const textIn = ({ body }: DeploymentAnswer, name: string): string | undefined => {
  const value: unknown = Object(body)[name]
  return typeof value === 'string' ? value : undefined
}
