import type { DecisionListener } from '../client/decision.ts'
import type { Hooks, RequestHook } from '../client/hooks.ts'
import { type Attempt, describeFailure, type OutgoingRequest } from './attempt.ts'
import type { Timing } from './timing.ts'

/** What tells hooks of the requests of one call, and of its end. Nothing that a hook does fails the call. */
export interface ObservedCall {
  send(request: OutgoingRequest, send: (request: OutgoingRequest) => Promise<Attempt>): Promise<Attempt>
  /** @param error What the call rejected with; undefined when it did not. */
  end(error?: unknown): void
}

/** What hooks are told through. */
export interface Told {
  readonly timing: Timing
  readonly tell: DecisionListener
}

/** Tells the hooks of one call. */
export function observeCall(
  { onRequest, onResponse, tracing }: Hooks,
  operationId: string,
  { timing, tell }: Told,
): ObservedCall {
  const quietly = <T>(hook: () => T): T | undefined => {
    try {
      return hook()
    } catch (error) {
      tell({ kind: 'hook-failed', operationId, error })
      return undefined
    }
  }
  const traced = tracing && quietly(() => tracing.startCall(operationId))
  const requestHooks: readonly RequestHook[] = [(info) => traced?.onRequest(info), (info) => onRequest?.(info)]
  let attempts = 0
  return {
    async send(request, send) {
      attempts += 1
      const info = { operationId, attempt: attempts, method: request.method, url: request.url }
      const headers = new Headers(request.headers)
      for (const hook of requestHooks)
        quietly(() => {
          for (const [name, value] of Object.entries(hook(info) ?? {})) if (!headers.has(name)) headers.set(name, value)
        })
      const startedAt = timing.elapsed()
      let sent: Promise<Attempt> | undefined
      const sendOnce = (): Promise<Attempt> => {
        sent ??= send({ ...request, headers })
        return sent
      }
      quietly(() => traced?.run(sendOnce))
      const attempt = await sendOnce()
      const ended = { ...info, durationMs: timing.elapsed() - startedAt, ...endOf(attempt) }
      quietly(() => onResponse?.(ended))
      quietly(() => traced?.onResponse(ended))
      return attempt
    },
    end: (error) => quietly(() => traced?.end(error)),
  }
}

const endOf = (attempt: Attempt) => {
  if (attempt.kind === 'failed') return describeFailure(attempt)
  const response = attempt.kind === 'answered' ? attempt.response : null
  const requestId = response?.headers.get('x-request-id') ?? null
  return { status: response?.status ?? null, code: null, requestId, trouble: null }
}
