import type { Fault } from '@conversation-gateway/conformance/fault-proxy'
import type { ErrorCode } from '../../src/index.ts'

/** Wrong answers of a gateway or of a proxy in front of it. */

/** A proxy's page. `reachesTarget`: the gateway has executed the request, and only its answer is lost. */
export const htmlPage = (status: number, options: { reachesTarget?: boolean } = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
  ...options,
})

/** The gateway's own error document. */
export const problem = (status: number, code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req_fault', ...headers },
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, detail: 'Not now.', request_id: 'req_fault' }),
})
