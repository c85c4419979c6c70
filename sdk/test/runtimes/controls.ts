import type { Fault } from '@conversation-gateway/conformance/fault-proxy'

/** A fault for the next requests; `path` is the source of a regular expression. */
export interface FaultInjection {
  readonly method?: string
  readonly path: string
  readonly fault: Fault | readonly Fault[]
  /** Default 1. */
  readonly times?: number
}

/** A request as the proxy recorded it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
}

/** The operations of the fault proxy that a case may use. */
export interface Controls {
  inject(injection: FaultInjection): Promise<void>
  clearFaults(): Promise<void>
  /** The recorded requests with this method whose path and query match the regular expression `path`, oldest first. */
  requests(method: string, path: string): Promise<readonly SeenRequest[]>
  /** Resolves once the client has closed the connection of a request that matches `path` before the answer's end. */
  untilAbandoned(path: string): Promise<void>
  /** Resolves once the proxy has stopped answering a request that matches `path`, without closing its connection. */
  untilSilent(path: string): Promise<void>
}

/** The controls of a harness that is reached by HTTP. */
export const createControls = (controlUrl: string): Controls => {
  const send = async (name: string, body: unknown): Promise<unknown> => {
    // Without a content-type header the body is sent as text/plain, so a browser makes no CORS preflight request.
    const answer = await fetch(`${controlUrl}/${name}`, { method: 'POST', body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the harness could not execute ${name}: ${text}`)
    return JSON.parse(text)
  }
  return {
    inject: async (fault) => void (await send('inject', fault)),
    clearFaults: async () => void (await send('clear-faults', {})),
    requests: async (method, path) => (await send('requests', { method, path })) as readonly SeenRequest[],
    untilAbandoned: async (path) => void (await send('until-abandoned', { path })),
    untilSilent: async (path) => void (await send('until-silent', { path })),
  }
}
