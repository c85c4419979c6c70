import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers/send-json.ts'
import type { Metrics } from './metrics.ts'

/** What `/readyz` tells (D-50, D-52). */
export interface Readiness {
  readonly ready: boolean
  readonly store: 'postgresql' | 'embedded'
  /** What an accepted request survives on this store, in a sentence. */
  readonly durability: string
  /** Whether the database takes writes. */
  readonly database: boolean
  /** Why the database does not; absent where it does. */
  readonly reason?: string
  /** Whether new work is admitted; absent where the database does not say. While it is paused the process stays ready. */
  readonly admission?: 'open' | 'paused'
  /** The roles of this process, and whether each runs. */
  readonly roles: Readonly<Record<string, boolean>>
  /** What the process still executes before it ends; absent as long as it was not asked to. */
  readonly draining?: { readonly runs: number }
}

export interface ProbeOptions {
  /** That of the gateway. */
  readonly version: string
  readonly readReadiness: () => Promise<Readiness>
  /** Null leaves `/metrics` out. */
  readonly metrics: Metrics | null
}

/** Routes for whoever operates the process; none of them takes a key (D-50). */
export const registerProbes = (app: FastifyInstance, { version, readReadiness, metrics }: ProbeOptions): void => {
  app.get('/healthz', (_request, reply) => sendJson(reply, 200, { status: 'alive', version }))

  app.get('/readyz', async (_request, reply) => {
    const { ready, ...details } = await readReadiness()
    if (!ready) reply.header('retry-after', '1')
    return sendJson(reply, ready ? 200 : 503, {
      status: ready ? 'ready' : details.draining ? 'draining' : 'unavailable',
      version,
      ...details,
    })
  })

  if (metrics === null) return
  app.get('/metrics', async (_request, reply) => {
    const text = await metrics.render()
    return reply.header('content-type', metrics.contentType).send(text)
  })
}
