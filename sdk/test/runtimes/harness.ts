import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FaultProxy } from '@conversation-gateway/conformance/fault-proxy'
import type { CaseResult } from './behaviour.ts'
import type { FaultOrder, SeenRequest } from './controls.ts'

/** Accepts commands of cases for the proxy, and their results. */
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
  let finish = (): void => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })

  const until = async (source: string, wanted: (exchange: ReturnType<FaultProxy['exchanges']>[number]) => boolean) => {
    const path = new RegExp(source)
    await proxy.untilExchange((exchange) => path.test(exchange.path) && wanted(exchange))
  }
  const orders: Readonly<Record<string, (body: string) => unknown>> = {
    inject: (body) => {
      const { path, ...order }: FaultOrder = JSON.parse(body)
      proxy.inject({ ...order, path: new RegExp(path) })
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
  const obey = async (request: IncomingMessage): Promise<unknown> => {
    const order = orders[request.url?.slice(1) ?? '']
    if (order === undefined) throw new Error('there is no such order')
    return (await order(await text(request))) ?? {}
  }

  const server = createServer((request, response) => {
    // A page from the proxy's origin may read the answers.
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' }
    obey(request).then(
      (answer) => response.writeHead(200, headers).end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500, headers).end(String(error)),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    controlUrl: `http://127.0.0.1:${address.port}`,
    results,
    done,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const pathIn = (body: string): string => {
  const order: { readonly path: string } = JSON.parse(body)
  return order.path
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
