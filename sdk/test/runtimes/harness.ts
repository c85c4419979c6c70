import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import { listen } from '../support/listening.ts'
import type { CaseResult } from './behaviour.ts'
import type { FaultInjection, SeenRequest } from './controls.ts'

/** An HTTP server that accepts the cases' commands for the proxy, and their results. */
export interface Harness {
  readonly controlUrl: string
  /** The results so far. */
  readonly results: readonly CaseResult[]
  /** Resolves once the runtime has reported the end. */
  readonly done: Promise<void>
  close(): Promise<void>
}

export const startHarness = async (proxy: FaultProxy): Promise<Harness> => {
  const results: CaseResult[] = []
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()

  const until = async (source: string, wanted: (exchange: ReturnType<FaultProxy['exchanges']>[number]) => boolean) => {
    const path = new RegExp(source)
    await proxy.untilExchange((exchange) => path.test(exchange.path) && wanted(exchange))
  }
  const commands: Readonly<Record<string, (body: string) => unknown>> = {
    inject: (body) => {
      const { path, ...injection }: FaultInjection = JSON.parse(body)
      proxy.inject({ ...injection, path: new RegExp(path) })
    },
    'clear-faults': () => proxy.clearFaults(),
    requests: (body) => seenRequests(proxy, JSON.parse(body)),
    'until-abandoned': (body) => until(pathIn(body), ({ ending }) => ending === 'abandoned'),
    'until-silent': (body) => until(pathIn(body), ({ isSilent }) => isSilent),
    result: (body) => {
      results.push(JSON.parse(body))
    },
    done: () => finish(),
  }
  const execute = async (request: IncomingMessage): Promise<unknown> => {
    const command = commands[request.url?.slice(1) ?? '']
    if (command === undefined) throw new Error('unknown command')
    return (await command(await text(request))) ?? {}
  }

  const { url: controlUrl, close } = await listen((request, response) => {
    // A page from the proxy's origin may read the answers.
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' }
    execute(request).then(
      (answer) => response.writeHead(200, headers).end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500, headers).end(String(error)),
    )
  })
  return { controlUrl, results, done, close }
}

const pathIn = (body: string): string => {
  const { path }: { readonly path: string } = JSON.parse(body)
  return path
}

const seenRequests = (proxy: FaultProxy, wanted: { readonly method: string; readonly path: string }): SeenRequest[] => {
  const expression = new RegExp(wanted.path)
  return proxy
    .exchanges()
    .filter(({ method, path }) => method === wanted.method && expression.test(path))
    .map(({ method, path, headers, body }) => ({
      method,
      path,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      bodyBase64: Buffer.from(body).toString('base64'),
    }))
}
