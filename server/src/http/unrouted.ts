import { refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import { NO_ROUTE } from '@conversation-gateway/openapi/behaviour/requests/refused-requests'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from './answers/problem.ts'
import { discardBody } from './requests/discard-body.ts'

/** Answers a request that matches no route. */
export type AnswerUnrouted = (request: FastifyRequest, reply: FastifyReply) => void

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Records every route that is registered from now on, and answers requests without a route: 405 with `Allow` if the
 * path exists under other methods (also for `HEAD` of a stream, D-53), otherwise 404. Neither needs an API key.
 */
export const createUnrouted = (app: FastifyInstance): AnswerUnrouted => {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    paths.set(url, known)
    for (const name of [method].flat()) known.methods.add(name)
  })
  return (request, reply) => {
    discardBody(request.raw, reply.raw)
    const [path = ''] = request.url.split('?', 1)
    const allowed = new Set<string>()
    for (const { pattern, methods } of paths.values())
      if (pattern.test(path)) for (const method of methods) allowed.add(method)
    if (allowed.size === 0) {
      sendRefusal(reply, NO_ROUTE)
      return
    }
    const methods = [...allowed].sort()
    reply.header('allow', methods.join(', '))
    sendRefusal(reply, refuse('METHOD_NOT_ALLOWED', `The path allows only ${METHOD_LIST.format(methods)}.`))
  }
}

const METHOD_LIST = new Intl.ListFormat('en')

/** The pattern of the paths that a route with parameters such as `:name` matches. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)
