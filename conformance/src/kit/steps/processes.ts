import { fail, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { LaunchedProcess } from '../config/driver.ts'
import { parseJson } from '../parse-json.ts'
import type { ServerContext } from '../server/context.ts'
import { signatureOf } from '../server/webhook-sender.ts'

export const SCOPES = ['conversations:read', 'conversations:write', 'runs:read', 'runs:write']

/** The secrets that a gateway needs unless it creates them itself. */
export const createSecrets = (): { readonly GATEWAY_ADMIN_TOKEN: string; readonly GATEWAY_SECRET_KEY: string } => ({
  GATEWAY_ADMIN_TOKEN: randomBytes(32).toString('hex'),
  GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
})

/** Starts a gateway, uses it, and always ends it. */
export async function withGateway<Result>(
  t: ServerContext,
  settings: Readonly<Record<string, string>>,
  use: (process: LaunchedProcess, baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const launched = await t.driver.launch(settings)
  try {
    if (launched.baseUrl === null) fail(`the gateway exited before it was ready: ${launched.log().slice(-2000)}`)
    return await use(launched, launched.baseUrl)
  } finally {
    await launched.end('SIGKILL')
  }
}

/** Starts a gateway that must refuse to start, and returns what it wrote. */
export async function launchRefused(
  t: ServerContext,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly log: string }> {
  const launched = await t.driver.launch(settings)
  const code = await launched.end(launched.baseUrl === null ? 'SIGTERM' : 'SIGKILL')
  ok(launched.baseUrl === null, `the gateway started with ${Object.keys(settings).join(', ')}`)
  ok(code !== 0, 'a gateway that refuses to start exits with 0')
  return { output: launched.output(), log: launched.log() }
}

/** Delivers a webhook that is signed with the secret to a gateway that the check started. */
export async function deliverTo(t: ServerContext, url: string, event: object, secret: string): Promise<number> {
  const body = JSON.stringify(event)
  const [id, timestamp] = [t.fresh('evt'), String(Math.floor(Date.now() / 1000))]
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(id, timestamp, body, secret),
    },
    body,
  })
  return status
}

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** Sends a request to a gateway that the check started. */
export async function ask(
  t: ServerContext,
  url: string,
  { key, json, method = json === undefined ? 'GET' : 'POST' }: { key?: string; json?: unknown; method?: string } = {},
): Promise<JsonAnswer> {
  t.note(`${method} ${url}`)
  const response = await fetch(url, {
    method,
    signal: AbortSignal.any([t.signal, AbortSignal.timeout(t.answerMs)]),
    headers: {
      'x-service-subject': 'conformance',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': t.fresh('key') }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  t.note(`${response.status} ${text.slice(0, 1000)}`)
  return { status: response.status, headers: response.headers, text, json: Object(parseJson(text)) }
}
