import type { Answer } from './answers.ts'
import { json } from './answers.ts'
import type { ClientContext, OpenedClient } from './client-context.ts'
import type { Command, JsonObject } from './commands.ts'
import { expectEqual, expectThat } from './expect.ts'
import { admission, conversationRecord, operationRecord } from './records.ts'
import { settle } from './settle.ts'
import type { WireRequest } from './wire-request.ts'

/** A repeatable write. Each execution has its own target, which identifies its requests. */
export interface NumberedWrite {
  readonly command: Command
  readonly path: RegExp
  /** Returns the target of a request. */
  readonly target: (request: WireRequest) => string
  readonly status: number
  readonly record: (target: string) => JsonObject
  /** Executes it until its outcome is known. */
  readonly run: (client: OpenedClient, target: string) => Promise<JsonObject>
}

const inPath = (path: RegExp) => (request: WireRequest) => path.exec(request.path)?.[1] ?? ''
const MESSAGES = /^\/api\/v1\/conversations\/([^/]+)\/messages$/
const CANCEL = /^\/api\/v1\/runs\/([^/]+)\/cancel$/
const RESET = /^\/api\/v1\/conversations\/([^/]+)\/reset$/

export const NUMBERED_WRITES: readonly NumberedWrite[] = [
  {
    command: 'create_conversation',
    path: /^\/api\/v1\/conversations$/,
    target: (request) => String(request.json().endpoint_id),
    status: 201,
    record: (target) => conversationRecord({ endpoint_id: target }),
    run: (client, target) => settle(client, 'create_conversation', { endpoint_id: target }),
  },
  {
    command: 'send_message',
    path: MESSAGES,
    target: inPath(MESSAGES),
    status: 202,
    record: (target) => admission({ conversation_id: target }),
    run: (client, target) =>
      settle(client, 'send_message', {
        conversation_id: target,
        expected_generation: 1,
        input: { text: `Größe for ${target}` },
      }),
  },
  {
    command: 'cancel_run',
    path: CANCEL,
    target: inPath(CANCEL),
    status: 202,
    record: (target) => operationRecord('stopping', { operation_id: `op_${target}` }),
    run: (client, target) => settle(client, 'cancel_run', { run_id: target }),
  },
  {
    command: 'reset_conversation',
    path: RESET,
    target: inPath(RESET),
    status: 202,
    record: (target) => operationRecord('stopping', { ref: { conversation_id: target, generation: 1 } }),
    run: (client, target) => settle(client, 'reset_conversation', { conversation_id: target, expected_generation: 1 }),
  },
]

/** Number of concurrent writes: enough to be fast, and few enough for any client. */
const AT_ONCE = 16

/**
 * Executes the write once for each faulty answer. The first attempt gets the fault and the next one the correct answer.
 * All attempts must be the same request, and the result must equal the answer.
 */
export const sweepFaults = async (
  { gateway, open }: ClientContext,
  write: NumberedWrite,
  faults: readonly Answer[],
): Promise<void> => {
  const first = new Map<string, WireRequest>()
  gateway.on('POST', write.path, (request) => {
    const target = write.target(request)
    const fault = first.has(target) ? undefined : faults[Number(target.replace('t', ''))]
    if (!first.has(target)) first.set(target, request)
    return fault ?? json(write.status, write.record(target))
  })
  const client = await open()
  for (let from = 0; from < faults.length; from += AT_ONCE)
    await Promise.all(
      faults.slice(from, from + AT_ONCE).map(async (_fault, index) => {
        const target = `t${from + index}`
        expectEqual(`The result of ${write.command}`, await write.run(client, target), write.record(target))
      }),
    )
  expectThat(first.size === faults.length, `The client must send ${faults.length} different requests`)
  for (const request of gateway.to('POST', write.path)) expectSameRequest(first.get(write.target(request)), request)
}

/**
 * Fails unless a later attempt is the same request: the same method, target, subject, key, body and application key.
 */
export const expectSameRequest = (first: WireRequest | undefined, later: WireRequest): void => {
  expectThat(first, `${later.method} ${later.target} has no first attempt`)
  const describe = (request: WireRequest) => ({
    request: `${request.method} ${request.target}`,
    subject: request.values('x-service-subject'),
    key: request.values('idempotency-key'),
    body: Buffer.from(request.body).toString('latin1'),
  })
  expectEqual('A later attempt', describe(later), describe(first))
  const [app, laterApp] = [first, later].map((request) => request.values('authorization').join())
  expectThat(app === laterApp, 'A later attempt must carry the same application key')
}
