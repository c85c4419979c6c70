import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers/send-json.ts'
import type { Metrics } from './metrics.ts'

/** The body of `/readyz` (D-50, D-52). */
export interface Readiness {
  readonly ready: boolean
  readonly store: 'postgresql' | 'embedded'
  /** The durability of an accepted request on this store, as a sentence. */
  readonly durability: string
  /** Whether the database takes writes. */
  readonly database: boolean
  /** Why the database takes no writes; absent if it does. */
  readonly reason?: string
  /**
   * Whether new work is admitted; absent if the database cannot be read. The process stays ready while admission is
   * paused.
   */
  readonly admission?: 'open' | 'paused'
  /** The roles of this process, and whether each runs. */
  readonly roles: Readonly<Record<string, boolean>>
  /** The runs that a draining process still executes; absent unless it is draining. */
  readonly draining?: { readonly runs: number }
}

export interface ProbeOptions {
  /** The gateway's version. */
  readonly version: string
  readonly readReadiness: () => Promise<Readiness>
  /** Null leaves `/metrics` out. */
  readonly metrics: Metrics | null
}

/** Routes for operators of the process, without authentication (D-50). */
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
