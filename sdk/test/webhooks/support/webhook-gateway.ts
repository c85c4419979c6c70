import type { ServerResponse } from 'node:http'
import { type Listening, listen } from '../../support/listening.ts'

/** A request as it arrived. */
export interface Received {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Answers one request, or leaves it unanswered. */
export type Answer = (response: ServerResponse) => void

export interface WebhookGateway extends Listening {
  /** The receiving URL of its webhook. */
  readonly webhookUrl: string
  readonly received: readonly Received[]
}

/** Plays the answers of a gateway, one per request, and repeats the last one. */
export const startWebhookGateway = async (answers: readonly Answer[]): Promise<WebhookGateway> => {
  const received: Received[] = []
  const server = await listen(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    received.push({ headers: Object.fromEntries(new Headers(Object.entries(request.headers).map(toPair))), body })
    answers[Math.min(received.length, answers.length) - 1]?.(response)
  })
  return { ...server, received, webhookUrl: `${server.url}/api/v1/webhooks/wh_1` }
}

const toPair = ([name, value]: [string, string | string[] | undefined]): [string, string] => [name, String(value)]

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    const type = status < 300 ? 'application/json' : 'application/problem+json'
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_1', ...headers }).end(JSON.stringify(body))
  }

export const refuse = (status: number, code: string, headers?: Record<string, string>): Answer =>
  answer(status, { type: 'about:blank', title: code, status, code, detail: 'no', request_id: 'req_1' }, headers)

/** The connection ends without an answer. */
export const cut: Answer = (response) => {
  response.destroy()
}

/** The connection ends before the announced end of an answer. */
export const cutInside: Answer = (response) => {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"conversation_id":', () => response.destroy())
}

/** A page of a proxy. */
export const html =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Hello from a proxy</h1>')
  }
