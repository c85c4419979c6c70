import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { ServerContext } from '../server/context.ts'
import { signatureOf } from '../server/webhook-sender.ts'

/** The posted request of a run. */
export interface PostedRun {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Respond = (response: ServerResponse, run: PostedRun) => void | Promise<void>

/** A published service with an `http` assistant that the suite simulates. */
export interface HttpService {
  readonly endpointId: string
  readonly secret: string
  /** The answers to the publication (without the secret) and to a later read, as JSON. */
  readonly published: string
  readonly read: string
  readonly runs: readonly PostedRun[]
  /** Executes a run with this answer of the assistant. */
  execute(respond: Respond): Promise<Awaited<ReturnType<ServerContext['runEnded']>>>
  /** Admits a run with this answer of the assistant, and returns its ID. */
  admit(respond: Respond): Promise<string>
}

/** The query of the service's URL. */
export const URL_TOKEN = 'token-of-the-url'

/** Publishes the service with the address of the suite's model server, on an online device. */
export async function withHttpService(t: ServerContext, use: (service: HttpService) => Promise<void>): Promise<void> {
  const { receiver, service: served } = t.config.model ?? t.untestable('the configuration has no model')
  const runs: PostedRun[] = []
  let respond: Respond = (response) => void response.writeHead(500).end()
  const server = createServer(async (request, response) => {
    const run = { path: request.url ?? '', headers: request.headers, body: await buffer(request) }
    runs.push(run)
    await respond(response, run)
  })
  server.listen(receiver.port, receiver.host)
  await once(server, 'listening')
  try {
    const endpoints = `/apps/${t.config.apps.first.appId}/endpoints`
    const { device_id: deviceId } = await t.admin.call<{ device_id: string }>('GET', `${endpoints}/${served}`)
    const url = `http://${receiver.host}:${receiver.port}/run?token=${URL_TOKEN}`
    const made = await t.admin.call<{ endpoint_id: string; secret: string }>('POST', endpoints, {
      device_id: deviceId,
      assistant: { type: 'http', url },
    })
    const endpointId = made.endpoint_id
    const admit = async (answer: Respond): Promise<string> => {
      respond = answer
      const conversation = await t.conversation({ endpoint_id: endpointId })
      return (await t.admit(conversation, { text: 'Where?' })).run_id
    }
    await use({
      endpointId,
      secret: made.secret,
      published: JSON.stringify({ ...made, secret: null }),
      read: JSON.stringify(await t.admin.call('GET', `${endpoints}/${endpointId}`)),
      runs,
      admit,
      execute: async (answer) => t.runEnded(await admit(answer)),
    })
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

/** Answers with this body, one write for each piece. */
export const answerWith =
  (contentType: string, ...pieces: readonly string[]): Respond =>
  async (response) => {
    response.writeHead(200, { 'content-type': contentType })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise(setImmediate)
    }
    response.end()
  }

/** Answers with these steps, as NDJSON. */
export const steps = (...all: readonly unknown[]): Respond =>
  answerWith('application/x-ndjson', ...all.map((step) => `${JSON.stringify(step)}\n`))

/** The expected signature of a run. */
export const signatureOfRun = ({ headers, body }: PostedRun, secret: string): string =>
  signatureOf(String(headers['webhook-id']), String(headers['webhook-timestamp']), body, secret)
