import { ApiError, CursorExpiredError } from '../../src/errors.ts'
import type { EventStream } from '../../src/events/subscribe.ts'
import type { EventEnvelope } from '../../src/generated/gateway.ts'
import { createManualTiming, type ManualTiming } from './manual-timing.ts'
import {
  createPlayedGateway,
  frameOf,
  type PlayedConnection,
  type PlayedGateway,
  type PlayedGatewayOptions,
  someEvent,
} from './played-gateway.ts'

export const frames = (...seqs: number[]): string => seqs.map((seq) => frameOf(someEvent(seq))).join('')

/** A frame whose data is not valid JSON. */
export const BROKEN = 'id: 1\ndata: {\n\n'

export const HANGING: PlayedConnection = { chunks: [], ending: 'hang' }

export const play = (
  connections: readonly PlayedConnection[],
  options: Partial<PlayedGatewayOptions> = {},
): { gateway: PlayedGateway; timing: ManualTiming } => {
  const timing = options.timing ?? createManualTiming()
  return {
    timing,
    gateway: createPlayedGateway({ play: (index) => connections[index] ?? HANGING, ...options, timing }),
  }
}

export const refusal = (status: number, code: string | null = null, retryAfterMs: number | null = null): ApiError =>
  new (status === 410 ? CursorExpiredError : ApiError)({
    code,
    status,
    detail: 'no',
    requestId: 'req_1',
    retryAfterMs,
    problem: null,
    response: new Response(),
  })

/** Reads `count` events, or all without a count, then leaves the loop. */
export const take = async (stream: EventStream, count = Number.POSITIVE_INFINITY): Promise<EventEnvelope[]> => {
  const events: EventEnvelope[] = []
  for await (const event of stream) {
    events.push(event)
    if (events.length >= count) break
  }
  return events
}

export const seqsOf = (events: readonly EventEnvelope[]): number[] => events.map(({ seq }) => seq)
