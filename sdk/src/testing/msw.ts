import { HttpHandler } from 'msw'
import type { TestGateway } from './create-test-gateway.ts'
import { TESTED_OPERATIONS } from './find-operation.ts'

/** One handler for each operation of a gateway in memory, for msw's `setupServer` or `setupWorker`. */
export const handlersOf = ({ baseUrl, answer }: Pick<TestGateway, 'baseUrl' | 'answer'>): HttpHandler[] =>
  TESTED_OPERATIONS.map(({ method, path }) => {
    const pattern = baseUrl + path.replaceAll(/\{(\w+)\}/g, ':$1')
    return new HttpHandler(method, pattern, ({ request }: { request: Request }) => answer(request))
  })
