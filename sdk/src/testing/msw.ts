import { HttpHandler } from 'msw'
import { CONTRACT } from '../generated/contract.ts'
import type { TestGateway } from './create-test-gateway.ts'

/** One handler for each operation of a gateway in memory, for msw's `setupServer` or `setupWorker`. */
export const handlersOf = ({ baseUrl, answer }: Pick<TestGateway, 'baseUrl' | 'answer'>): HttpHandler[] =>
  Object.values(CONTRACT).map(({ method, path }) => {
    const pattern = baseUrl + path.replaceAll(/\{(\w+)\}/g, ':$1')
    return new HttpHandler(method, pattern, ({ request }: { request: Request }) => answer(request))
  })
