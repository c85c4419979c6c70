import type { RunOutcome } from '@conversation-gateway/openapi/behaviour/finish-run'
import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Tenant } from '@conversation-gateway/openapi/behaviour/tenant'
import fc from 'fast-check'
import { expect } from 'vitest'
import { decideApproval } from '../../src/gateway/admin/approvals.ts'
import { advanceDueWork } from '../../src/gateway/advance-work.ts'
import { cancelRun } from '../../src/gateway/cancel-run.ts'
import type { GatewayContext } from '../../src/gateway/context.ts'
import type { RunRef } from '../../src/gateway/execution.ts'
import { lookAtRuns, reportOutcome, requestApproval } from '../../src/gateway/execution.ts'
import { readConversation, readOperation, readRun } from '../../src/gateway/read-records.ts'
import { resetConversation } from '../../src/gateway/reset-conversation.ts'
import { sendMessage } from '../../src/gateway/send-message.ts'
import { answerOf } from '../admin/support.ts'
import { intention, takeWork } from '../support/gateway-fixture.ts'
import type { Model } from './model.ts'
import * as rules from './model.ts'

/** The gateway under test: one conversation, with the device played by the commands. */
export interface Real {
  readonly context: GatewayContext
  readonly tenant: Tenant
  readonly conversationId: string
  readonly deviceId: string
  readonly workerId: string
  /** The approvals that the runs requested, the newest last. */
  readonly approvals: string[]
  /** Moves the injected clock. */
  passTime(ms: number): void
  heartbeat(): Promise<void>
  /** Sets whether the process that admits messages has free slots. */
  giveSlots(has: boolean): void
  publish(breaking: boolean): Promise<void>
}

type Command = fc.AsyncCommand<Model, Real>

const NO_APP_LIMIT = { pendingLimit: null }
const refOf = (real: Real, runId: string): RunRef => ({
  appId: real.tenant.appId,
  conversationId: real.conversationId,
  runId,
})

/** Runs a step on the model and on the gateway, then compares the generation, the runs and the operations. */
const step = (
  label: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real)
    await compare(model, real)
  },
  toString: () => label,
})

const compare = async (model: Model, { context, tenant, conversationId }: Real): Promise<void> => {
  const snapshot = answerOf(await readConversation(context, tenant, conversationId))
  expect(snapshot.generation).toBe(model.generation)
  expect(snapshot.runs).toMatchObject(
    model.runs.map(({ id, state, generation }) => ({ run_id: id, state, generation })),
  )
  for (const { id, state, generation } of model.operations)
    expect(answerOf(await readOperation(context, tenant, id))).toMatchObject({ state, ref: { generation } })
  const last = model.runs.at(-1)
  if (last !== undefined) expect(answerOf(await readRun(context, tenant, last.id)).state).toBe(last.state)
}

const send = ({ stale, hasSlot }: { readonly stale: boolean; readonly hasSlot: boolean }): Command =>
  step(
    `send${stale ? ' with a stale generation' : ''}${hasSlot ? ' to a process with a free slot' : ''}`,
    () => true,
    async (model, real) => {
      real.giveSlots(hasSlot)
      const expectedGeneration = stale ? model.generation + 1 : model.generation
      const refusal = rules.sendRefusal(model, expectedGeneration)
      const body = { expected_generation: expectedGeneration, input: { text: 'hello' } }
      const { context, tenant, conversationId } = real
      const outcome = await sendMessage(context, tenant, intention(), { app: NO_APP_LIMIT, conversationId, body })
      if (outcome.kind === 'refused') expect(outcome.code).toBe(refusal)
      else {
        expect(refusal).toBeNull()
        rules.admit(model, outcome.body.run_id, hasSlot)
      }
    },
  )

const cancel = (which: number): Command =>
  step(
    `cancel ${which}`,
    (model) => model.runs.length > 0,
    async (model, real) => {
      const run = model.runs[which % model.runs.length]
      if (run === undefined) return
      const outcome = await cancelRun(real.context, real.tenant, run.id, intention())
      if (outcome.kind === 'refused') throw new Error(`a cancel was refused: ${outcome.code}`)
      rules.cancel(model, run.id, outcome.body.operation_id)
    },
  )

const reset = (policy: 'reject' | 'cancel_and_reset'): Command =>
  step(
    `reset ${policy}`,
    () => true,
    async (model, real) => {
      const refusal = rules.resetRefusal(model, policy)
      const body = { expected_generation: model.generation, busy_policy: policy }
      const outcome = await resetConversation(real.context, real.tenant, real.conversationId, intention(), body)
      if (outcome.kind === 'refused') expect(outcome.code).toBe(refusal)
      else {
        expect(refusal).toBeNull()
        rules.reset(model, outcome.body.operation_id)
      }
    },
  )

const publish = (breaking: boolean): Command =>
  step(
    `publish ${breaking ? 'breaking' : 'compatible'}`,
    () => true,
    async (model, real) => {
      await real.publish(breaking)
      rules.publish(model, breaking)
    },
  )

const passTime = (ms: number): Command =>
  step(
    `pass ${ms} ms`,
    () => true,
    async (model, real) => {
      real.passTime(ms)
      rules.passTime(model, ms)
      await advanceDueWork(real.context)
    },
  )

const start = (): Command =>
  step(
    'the device claims the next queued run',
    () => true,
    async (model, real) => {
      const next = rules.nextQueued(model)
      const claimed = await takeWork(real.context, { deviceId: real.deviceId, workerId: real.workerId, limit: 10 })
      rules.appear(model)
      expect(claimed.map(({ runId }) => runId)).toEqual(next === undefined ? [] : [next.id])
      if (next !== undefined) rules.resume(model, next)
    },
  )

const renew = (): Command =>
  step(
    'the device sends a heartbeat and renews its lease',
    () => true,
    async (model, real) => {
      const run = rules.executing(model)
      await real.heartbeat()
      const held = await lookAtRuns(real.context, real.workerId, null)
      rules.renew(model)
      expect(held.map(({ runId, state }) => [runId, state])).toEqual(run === undefined ? [] : [[run.id, run.state]])
    },
  )

/** Outcomes of a run, and the states of the executing run in which D-17 allows them. */
const OUTCOMES: readonly (readonly [RunOutcome, from: readonly string[]])[] = [
  [{ state: 'succeeded', text: 'done' }, ['running', 'cancelling', 'reconciling']],
  [
    { state: 'failed', error: { code: 'BROKEN', message: 'It broke.', retryable: false } },
    ['running', 'waiting_approval', 'cancelling', 'reconciling'],
  ],
  [{ state: 'cancelled' }, ['cancelling', 'reconciling']],
]

const end = ([outcome, from]: (typeof OUTCOMES)[number]): Command =>
  step(
    `the run ends as ${outcome.state}`,
    (model) => from.includes(rules.executing(model)?.state ?? ''),
    async (model, real) => {
      const run = rules.executing(model)
      if (run === undefined) return
      expect(await reportOutcome(real.context, refOf(real, run.id), outcome)).toBe(true)
      rules.end(model, run, outcome.state)
    },
  )

const lateReport = (): Command =>
  step(
    'a report about a run that has ended changes nothing',
    () => true,
    async (model, real) => {
      const run = model.runs.find(({ state }) => ['interrupted', 'cancelled', 'expired'].includes(state))
      const runId = run?.id ?? newId('run')
      expect(await reportOutcome(real.context, refOf(real, runId), { state: 'succeeded', text: 'late' })).toBe(false)
    },
  )

const askApproval = (): Command =>
  step(
    'the run asks for approval',
    (model) => rules.executing(model) !== undefined,
    async (model, real) => {
      const run = rules.executing(model)
      if (run === undefined) return
      const approvalId = await requestApproval(real.context, refOf(real, run.id), 'May I?')
      expect(approvalId !== null).toBe(rules.askApproval(model, run))
      real.approvals.push(...(approvalId === null ? [] : [approvalId]))
    },
  )

const decide = (decision: 'approve' | 'deny'): Command =>
  step(
    `the decision about the requested approval is ${decision}`,
    (model) => rules.executing(model)?.approvalPending === true,
    async (model, real) => {
      const run = rules.executing(model)
      const approvalId = real.approvals.at(-1)
      if (run === undefined || approvalId === undefined) return
      answerOf(await decideApproval(real.context, approvalId, { decision }))
      rules.decide(model, run)
    },
  )

const often = <Value>(times: number, value: Value): Value[] => Array.from({ length: times }, () => value)
const always = (command: () => Command) => fc.constant(null).map(command)

/** Arbitrary histories of one conversation. A run is executing most of the time. */
export const histories = fc.commands(
  [
    ...often(4, fc.record({ stale: fc.constantFrom(false, false, false, true), hasSlot: fc.boolean() }).map(send)),
    ...often(4, always(start)),
    ...often(5, always(renew)),
    ...often(3, fc.constantFrom(1, 5_000, 14_999, 15_000, 29_999).map(passTime)),
    fc.constantFrom(60_000, 89_999, 299_999, 300_000).map(passTime),
    ...often(3, always(askApproval)),
    ...often(3, fc.constantFrom<'approve' | 'deny'>('approve', 'deny').map(decide)),
    fc.nat(8).map(cancel),
    fc.constantFrom<'reject' | 'cancel_and_reset'>('reject', 'cancel_and_reset').map(reset),
    fc.constantFrom(false, false, true).map(publish),
    ...OUTCOMES.map((outcome) => fc.constant(outcome).map(end)),
    always(lateReport),
  ],
  // The default of ten commands would be too short for most situations.
  { maxCommands: 60, size: 'max' },
)
