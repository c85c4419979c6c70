import type { Fault } from '@conversation-gateway/conformance/fault-proxy'
import { htmlPage, problem } from './answers.ts'

export interface StreamCase {
  readonly fault: string
  /** The faults of the connections of one stream, in order; later connections have none. */
  readonly connections: readonly (Fault | readonly Fault[])[]
  /** Whether every connection has the first fault. Default false. */
  readonly isForAll?: boolean
}

const CRLF = { kind: 'rewrite-line-endings', to: 'crlf' } as const
const CR = { kind: 'rewrite-line-endings', to: 'cr' } as const
const GZIP = { kind: 'gzip' } as const
const EVERY_BYTE = { kind: 'chunk', every: 1 } as const
const SMALL_CHUNKS = { kind: 'chunk', sizes: [1, 2, 3, 29] } as const
const cutAfter = (afterEvents: number, how: 'reset' | 'end' | 'complete' = 'reset') =>
  ({ kind: 'cut-stream', afterEvents, how }) as const

export const STREAM_CASES: readonly StreamCase[] = [
  { fault: 'stream reset after every event', connections: [cutAfter(1)], isForAll: true },
  { fault: 'stream broken off after every third event', connections: [cutAfter(3, 'end')], isForAll: true },
  { fault: 'stream ended as if complete', connections: [cutAfter(2, 'complete')], isForAll: true },
  {
    fault: 'stream cut within a frame',
    connections: [200, 500, 900].map((atByte) => ({ kind: 'cut-answer', atByte, of: 'body' })),
  },
  { fault: 'half-open before the answer', connections: [{ kind: 'half-open', atByte: 0 }] },
  {
    fault: 'half-open after events',
    connections: [
      { kind: 'half-open', afterEvents: 2 },
      { kind: 'half-open', afterEvents: 0 },
    ],
  },
  { fault: 'half-open within a frame', connections: [{ kind: 'half-open', atByte: 700, of: 'body' }] },
  {
    fault: 'connection reset before the request',
    connections: [cutAfter(2), { kind: 'drop-request' }, { kind: 'drop-request' }],
  },
  {
    fault: 'delivered twice at once',
    connections: [cutAfter(2), [{ kind: 'deliver-twice', how: 'together' }, cutAfter(2)]],
  },
  { fault: 'HTML 502 from a proxy', connections: [htmlPage(502), cutAfter(2), htmlPage(502), htmlPage(502)] },
  { fault: 'HTML 200 of a captive portal', connections: [cutAfter(2), htmlPage(200)] },
  { fault: '429 with Retry-After', connections: [cutAfter(1), problem(429, 'STREAM_LIMIT', { 'retry-after': '3' })] },
  {
    fault: '503 with Retry-After',
    connections: [cutAfter(1), problem(503, 'CAPABILITY_UNAVAILABLE', { 'retry-after': '9' })],
  },
  { fault: 'gzip', connections: [GZIP] },
  { fault: 'gzip in small chunks, cut', connections: [[cutAfter(3), GZIP, SMALL_CHUNKS]], isForAll: true },
  { fault: 'every byte in its own write', connections: [EVERY_BYTE] },
  { fault: 'CRLF in small chunks', connections: [[CRLF, SMALL_CHUNKS]] },
  { fault: 'CRLF in small chunks, cut', connections: [[cutAfter(4, 'end'), CRLF, SMALL_CHUNKS]], isForAll: true },
  { fault: 'CR alone, in small chunks', connections: [[CR, SMALL_CHUNKS]] },
]
