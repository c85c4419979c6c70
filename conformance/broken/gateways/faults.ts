import type { Selection } from '../../src/run/selection.ts'
import type { Disturbance, ProxiedRequest } from './proxy.ts'

/** A gateway with one fault, and the suite's expected report. */
export interface PartlyBroken {
  /** Completes "a gateway that …". */
  readonly name: string
  fault(request: ProxiedRequest): Disturbance | null
  /** The checks that are run. */
  readonly select: Pick<Selection, 'tags' | 'rules'>
  /** Part of a cause that the report names. */
  readonly cause: string
}

const isStream = ({ path }: ProxiedRequest): boolean => /\/events(\?|$)/.test(path)
const isSend = ({ method, path }: ProxiedRequest): boolean => method === 'POST' && path.endsWith('/messages')

/** Replaces each header by the names and values that `change` returns. */
const headerLines = (change: (name: string, value: string) => readonly string[]): Disturbance => ({
  kind: 'headers',
  change: (lines) => lines.flatMap((name, at) => (at % 2 === 0 ? change(name, lines[at + 1] ?? '') : [])),
})

export const PARTLY_BROKEN: readonly PartlyBroken[] = [
  {
    name: 'refuses one of several sends',
    fault: (request) =>
      isSend(request) && request.nth % 3 === 0
        ? {
            kind: 'answer',
            status: 429,
            headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
            body: '{"code":"QUEUE_FULL"}',
          }
        : null,
    select: { tags: ['general'] },
    cause: 'Send a message (POST /api/v1/conversations/{conversation_id}/messages) answers 429 instead of 202',
  },
  {
    name: 'sends a wrong content type on every route',
    fault: () =>
      headerLines((name, value) => [name, /^content-type$/i.test(name) ? 'application/octet-stream' : value]),
    select: { tags: ['streams', 'history'] },
    cause: 'content type application/octet-stream',
  },
  {
    name: 'sends its streams with a wrong content type',
    fault: (request) =>
      isStream(request)
        ? headerLines((name, value) => [name, /^content-type$/i.test(name) ? 'text/plain' : value])
        : null,
    select: { tags: ['streams'] },
    cause: 'is served as text/plain',
  },
  {
    name: 'never ends the body of an answer to a read of a run',
    fault: ({ method, path }) => (method === 'GET' && /\/runs\/[^/]+$/.test(path) ? { kind: 'endless' } : null),
    select: { tags: ['cancel'] },
    cause: 'Read a run (GET /api/v1/runs/{run_id}): the body of its answer did not end',
  },
  {
    name: 'closes the connection within the head of an answer to a cancel',
    fault: ({ path }) => (path.endsWith('/cancel') ? { kind: 'cut-head' } : null),
    select: { tags: ['cancel'] },
    cause: 'Cancel a run (POST /api/v1/runs/{run_id}/cancel): the connection ended before an answer arrived',
  },
  {
    name: 'has streams without pings',
    fault: (request) =>
      isStream(request) ? { kind: 'pieces', change: (piece) => piece.replaceAll(/^: ping.*$/gm, ':') } : null,
    select: { rules: ['SSE-26'] },
    cause: 'after the previous one or the start of the stream: did not arrive',
  },
  {
    name: 'has streams without events',
    fault: (request) => (isStream(request) ? { kind: 'pieces', change: () => ': ping\n\n' } : null),
    select: { rules: ['SSE-06', 'SSE-07', 'SSE-36'] },
    cause: 'Observe conversation events (GET /api/v1/conversations/{conversation_id}/events) delivers no event',
  },
  {
    name: 'sends each header twice',
    fault: () => headerLines((name, value) => [name, value, name, value]),
    select: { tags: ['history'] },
    cause: 'the header content-type occurs 2 times',
  },
  {
    name: 'sends no headers',
    fault: () => headerLines(() => []),
    select: { tags: ['history'] },
    cause: 'the header X-Request-Id is missing',
  },
  {
    name: 'answers errors with HTML pages',
    fault: () => ({ kind: 'error-body', type: 'text/html', body: '<h1>Oops</h1>' }),
    select: { tags: ['errors', 'idempotency'] },
    cause: 'does not contain IDEMPOTENCY_CONFLICT',
  },
  {
    name: 'stops answering after a while',
    fault: ({ nth }) => (nth > 60 ? { kind: 'cut-head' } : null),
    select: { tags: ['history', 'cancel', 'reset', 'listing', 'operations'] },
    cause: 'the connection ended before an answer arrived',
  },
]
