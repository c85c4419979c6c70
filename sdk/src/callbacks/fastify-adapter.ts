import { type NodeRequest, type NodeResponse, receiveFromNode } from './node-adapter.ts'
import type { CallbackReceiver } from './receiver.ts'

/** What is used of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void,
  ): unknown
  post(
    url: string,
    handler: (request: { readonly raw: NodeRequest }, reply: FastifyResponse) => Promise<unknown>,
  ): unknown
}

/** What is used of a Fastify reply. */
export interface FastifyResponse {
  /** Whether another component has already answered, such as a timeout hook. */
  readonly sent?: boolean | undefined
  readonly raw?: Pick<NodeResponse, 'headersSent'> | undefined
  code(status: number): unknown
  headers(headers: Readonly<Record<string, string>>): unknown
  send(body: string): unknown
}

/**
 * The receiver as a Fastify plugin with one POST route. The application's body parsers do not see its bodies and stay
 * unchanged.
 *
 * @example
 * await app.register(toFastifyPlugin(receiver, { url: '/callbacks' }))
 *
 * @param options Its `url` is the path of the route, below the prefix that the plugin is registered with.
 */
export const toFastifyPlugin =
  (receiver: CallbackReceiver, { url }: { readonly url: string }): ((scope: FastifyScope) => Promise<void>) =>
  async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(url, async (request, reply) => {
      const { status, headers, body } = await receiveFromNode(receiver, request.raw)
      if (reply.sent || reply.raw?.headersSent) return reply
      reply.code(status)
      reply.headers(headers)
      return reply.send(body)
    })
  }
