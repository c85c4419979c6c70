import { type Refusal, refuse } from '../../../openapi/src/behaviour/refusal.ts'
import { CONTRACT } from '../generated/contract.ts'
import type { ErrorCode } from '../generated/errors.ts'
import type { TestedOperationId } from './operations.ts'

/** Where an event stream breaks. */
export interface StreamCut {
  /** Events that still arrive. */
  readonly cutStreamAfter: number
  /** `reset` (default): the connection breaks. `end`: it ends cleanly but too early. */
  readonly how?: 'reset' | 'end'
}

/** A refusal of the contract. The request has no effect; 429 and 503 carry `Retry-After`. */
export interface InjectedRefusal {
  readonly code: ErrorCode
  /** Default 1. */
  readonly retryAfterSeconds?: number
  readonly detail?: string
}

/** An answer that is not the gateway's, such as the HTML page of a proxy. The request does not reach the gateway. */
export interface ForeignAnswer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * - `network-error`: the connection breaks before the gateway sees the request.
 * - `lose-answer`: the gateway acts, and the connection breaks before the answer arrives.
 * - `no-answer`: the gateway acts, and the answer never arrives; the client must time out.
 */
export type Fault = 'network-error' | 'lose-answer' | 'no-answer' | InjectedRefusal | ForeignAnswer | StreamCut

export interface FaultRule {
  /** The operation to fail; if absent, the next call of any operation. A cut applies to the next stream. */
  readonly operation?: TestedOperationId
  readonly fault: Fault
  /** How many requests fail. Default 1. */
  readonly times?: number
}

export interface FaultQueue {
  add(rule: FaultRule): void
  /** The fault of this request, if any; the first matching rule is used. */
  take(operationId: TestedOperationId): Fault | null
  clear(): void
}

export const createFaultQueue = (): FaultQueue => {
  const waiting: { rule: FaultRule; left: number }[] = []
  return {
    add: (rule) => {
      const { operation, fault, times = 1 } = rule
      if (isCut(fault) && operation !== undefined && !isStream(operation))
        throw new TypeError(`${operation} does not answer with a stream to cut; name an operation that streams.`)
      waiting.push({ rule, left: times })
    },
    take: (operationId) => {
      const index = waiting.findIndex(({ rule }) => fits(rule, operationId))
      const entry = waiting[index]
      if (entry === undefined) return null
      entry.left -= 1
      if (entry.left <= 0) waiting.splice(index, 1)
      return entry.rule.fault
    },
    clear: () => {
      waiting.length = 0
    },
  }
}

const fits = ({ operation, fault }: FaultRule, operationId: TestedOperationId): boolean =>
  operation === undefined ? !isCut(fault) || isStream(operationId) : operation === operationId

const isStream = (operationId: TestedOperationId): boolean => 'stream' in CONTRACT[operationId]

export const isCut = (fault: Fault | null): fault is StreamCut =>
  typeof fault === 'object' && fault !== null && 'cutStreamAfter' in fault

/** The answer that replaces the gateway's; null if the gateway sees the request. */
export const instead = (fault: Fault | null): Refusal | Response | null => {
  if (fault === 'network-error') return Response.error()
  if (fault === null || typeof fault === 'string' || isCut(fault)) return null
  if ('code' in fault) return refuse(fault.code, fault.detail ?? 'The test injected this answer.', fault)
  const { status, body = null, headers = {} } = fault
  return new Response(body, { status, headers })
}
