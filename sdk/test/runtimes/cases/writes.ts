import { isUnknownOutcome, type ReplayHandle } from '@conversation-gateway/sdk'
import { memoryOutbox } from '@conversation-gateway/sdk/outbox'
import type { Context } from '../context.ts'
import type { BehaviourCase } from './behaviour-case.ts'
import { claim, claimEqual, rejectionOf } from './claims.ts'

const MANY = 100_000
const BODY = { expected_generation: 1, input: { text: 'exactly once' } }

const claimAdmittedOnce = async ({ client, requests }: Context, id: string): Promise<void> => {
  const admitted = (await client.messages.list(id)).messages.filter(({ role }) => role === 'user')
  claimEqual(admitted.length, 1, 'admissions')
  const sent = await requests('POST', `${id}/messages$`)
  claim(sent.length > 1, 'the message was sent more than once')
  claim(sent[0]?.headers['idempotency-key'] !== undefined, 'the message has an idempotency key')
  claimEqual(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1, 'keys')
  claimEqual(new Set(sent.map(({ bodyBase64 }) => bodyBase64)).size, 1, 'bodies')
}

export const writeCases: readonly BehaviourCase[] = [
  {
    name: 'a write whose answer is lost is replayed with its key and takes effect once',
    run: async (context) => {
      const { client, createConversation, inject } = context
      const id = await createConversation()
      await inject({ method: 'POST', path: id, fault: { kind: 'lose-answer' }, times: 2 })
      const { attempts, replayed, data } = await client.messages.send(id, BODY).withResponse()
      claimEqual([attempts, replayed], [3, true], 'attempts, and whether the answer was replayed')
      claimEqual((await client.runs.wait(data.run_id)).state, 'succeeded', 'the state of the run')
      await claimAdmittedOnce(context, id)
    },
  },
  {
    name: 'a write whose answer is cut off is replayed and takes effect once',
    run: async (context) => {
      const { client, createConversation, inject } = context
      const id = await createConversation()
      await inject({ method: 'POST', path: id, fault: { kind: 'cut-answer', atByte: 25, of: 'body', how: 'end' } })
      await inject({ method: 'POST', path: id, fault: { kind: 'cut-answer', atByte: 30 } })
      await client.messages.send(id, BODY)
      await claimAdmittedOnce(context, id)
    },
  },
  {
    name: 'a write of unknown outcome is completed later from its handle',
    run: async (context) => {
      const { client, createConversation, inject, clearFaults } = context
      const id = await createConversation()
      await inject({ method: 'POST', path: id, fault: { kind: 'lose-answer' }, times: MANY })
      const error = await rejectionOf(client.messages.send(id, BODY, { timeoutMs: 500 }))
      claim(isUnknownOutcome(error) && error.handle !== null, 'the outcome is unknown, and the error has a handle')
      await clearFaults()
      const kept: ReplayHandle = JSON.parse(JSON.stringify(error.handle))
      claimEqual((await client.replay(kept).outcome()).kind, 'admitted', 'the outcome')
      await claimAdmittedOnce(context, id)
    },
  },
  {
    name: 'an outbox keeps a write without an answer until the write is recovered',
    run: async (context) => {
      const { createClient, createConversation, inject, clearFaults } = context
      const id = await createConversation()
      const outbox = memoryOutbox()
      await inject({ method: 'POST', path: id, fault: { kind: 'lose-answer' }, times: MANY })
      await rejectionOf(createClient({ outbox, timeoutMs: 500 }).messages.send(id, BODY))
      claimEqual((await outbox.list()).length, 1, 'intentions kept')
      await clearFaults()
      const recovered: string[] = []
      for await (const { kind } of createClient({ outbox }).recover()) recovered.push(kind)
      claimEqual(recovered, ['admitted'], 'the recovered outcomes')
      while ((await outbox.list()).length > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      await claimAdmittedOnce(context, id)
    },
  },
  {
    name: 'an aborted write reports whether it may have taken effect',
    run: async ({ client, createConversation, inject, untilSilent }) => {
      const id = await createConversation()
      const early = await client.messages.send(id, BODY, { signal: AbortSignal.abort() }).outcome()
      claimEqual(early.kind, 'refused', 'the outcome of a write that was aborted before it was sent')
      await inject({ method: 'POST', path: id, fault: { kind: 'half-open', atByte: 0 } })
      const controller = new AbortController()
      const late = client.messages.send(id, BODY, { signal: controller.signal }).outcome()
      await untilSilent(`${id}/messages$`)
      controller.abort()
      claimEqual((await late).kind, 'unknown', 'the outcome of a write that was aborted while it waited for its answer')
    },
  },
  {
    name: 'a run is cancelled, and the client can wait until its cancel is complete',
    run: async ({ client, endpoints }) => {
      const input = { text: 'go on for ever', data: { script: [{ hang: true }] } }
      const { run_id } = await client.runs.create(endpoints.script, { input })
      const { operation_id } = await client.runs.cancel(run_id)
      claimEqual((await client.operations.wait(operation_id)).state, 'succeeded', 'the state of the operation')
      claimEqual((await client.runs.wait(run_id)).state, 'cancelled', 'the state of the run')
    },
  },
]
