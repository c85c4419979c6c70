import type { Fault } from '@conversation-gateway/conformance/fault-proxy'
import { htmlPage, problem } from './answers.ts'

export interface SendCase {
  readonly fault: string
  /** The faults of the attempts of one write, in order; later attempts have none. */
  readonly attempts: (nowMs: number) => readonly (Fault | readonly Fault[])[]
  /** The minimum wait of the client, in milliseconds. */
  readonly leastWaitMs?: number
}

const LOST = { kind: 'lose-answer' } as const
const COMMITTED = { reachesTarget: true } as const

export const SEND_CASES: readonly SendCase[] = [
  {
    fault: 'connection reset before the request',
    attempts: () => [{ kind: 'drop-request' }, { kind: 'drop-request' }],
  },
  { fault: 'answer lost after commit', attempts: () => [LOST] },
  { fault: 'answer lost after commit, three times', attempts: () => [LOST, LOST, LOST] },
  { fault: 'answer cut in its head', attempts: () => [{ kind: 'cut-answer', atByte: 40 }] },
  { fault: 'answer cut in its body', attempts: () => [{ kind: 'cut-answer', atByte: 60, of: 'body', how: 'end' }] },
  { fault: 'delivered twice, in turn', attempts: () => [{ kind: 'deliver-twice' }] },
  { fault: 'delivered twice at once', attempts: () => [{ kind: 'deliver-twice', how: 'together' }] },
  {
    fault: 'delivered twice, answers lost',
    attempts: () => [[{ kind: 'deliver-twice', how: 'together' }, LOST], LOST],
  },
  { fault: 'half-open before the answer', attempts: () => [{ kind: 'half-open', atByte: 0 }] },
  { fault: 'half-open in the body', attempts: () => [{ kind: 'half-open', atByte: 30, of: 'body' }] },
  { fault: 'HTML 502 from a proxy', attempts: () => [htmlPage(502), htmlPage(502)] },
  { fault: 'HTML 502 after commit', attempts: () => [htmlPage(502, COMMITTED)] },
  { fault: 'HTML 504 after commit', attempts: () => [htmlPage(504, COMMITTED), htmlPage(504)] },
  { fault: 'HTML 200 of a captive portal', attempts: () => [htmlPage(200)] },
  { fault: 'HTML 200 after commit', attempts: () => [htmlPage(200, COMMITTED)] },
  {
    fault: 'JSON 200 of another server',
    attempts: () => [
      { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body: '{"login":"required"}' },
    ],
  },
  { fault: 'empty 204 of another server', attempts: () => [{ kind: 'answer', status: 204, headers: {} }] },
  { fault: 'empty 202 after commit', attempts: () => [{ kind: 'answer', status: 202, ...COMMITTED }] },
  {
    fault: 'answer shorter than its Content-Length',
    attempts: () => [
      {
        kind: 'answer',
        status: 202,
        headers: { 'content-type': 'application/json', 'content-length': '400' },
        body: '{"operation_id":"op_1"}',
        ...COMMITTED,
      },
    ],
  },
  {
    fault: '429 with Retry-After in seconds',
    attempts: () => [problem(429, 'RATE_LIMITED', { 'retry-after': '7' })],
    leastWaitMs: 7000,
  },
  {
    fault: '503 with Retry-After as a date',
    attempts: (nowMs) => [
      problem(503, 'CAPABILITY_UNAVAILABLE', { 'retry-after': new Date(nowMs + 9000).toUTCString() }),
    ],
    // The date has no fractions of a second.
    leastWaitMs: 8000,
  },
  {
    fault: 'answer lost, then 503 while the gateway restarts',
    attempts: () => [LOST, problem(503, 'CAPABILITY_UNAVAILABLE')],
  },
  { fault: 'gzip', attempts: () => [{ kind: 'gzip' }] },
  { fault: 'gzip, cut', attempts: () => [[{ kind: 'gzip' }, { kind: 'cut-answer', atByte: 30, of: 'body' }]] },
  { fault: 'every byte in its own write', attempts: () => [{ kind: 'chunk', every: 1 }] },
]
