import assert from 'node:assert/strict'
import type { Run } from '#openapi/generated/gateway'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { sendExpiring } from '../../../kit/steps/expiring-runs.ts'
import { completeWorkElsewhere, expectNoResult, readRun } from '../../../kit/steps/runs.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

const FAILURE = { code: 'BROKEN', message: 'It broke.' }

/** The state with which the name of a situation begins. */
const stateIn = (situation: string) => situation.split(' ')[0] as Run['state']

/** Starts a run for each of these states. Each run reaches its state and keeps it until the check changes it. */
async function collectStates(t: ServerContext): Promise<Readonly<Record<string, string>>> {
  const hanging = await t.start({ hang: true })
  const expiring = await sendExpiring(t, hanging.conversation.conversation_id)
  const queued = await t.admit(hanging.conversation, t.script({ succeed: {} }))
  const dropped = await t.admit(hanging.conversation, t.script({ succeed: {} }))
  await t.me.cancel(dropped.run_id)
  const asking = await t.start({ approval: 'May I?' })
  const succeeding = await t.start({ succeed: { text: 'done' } })
  const failing = await t.start({ fail: FAILURE })
  const stopped = await t.startIn('running', { hang: true })
  await t.me.cancel(stopped.admission.run_id)
  return {
    running: hanging.admission.run_id,
    queued: queued.run_id,
    waiting_approval: asking.admission.run_id,
    succeeded: succeeding.admission.run_id,
    failed: failing.admission.run_id,
    cancelled: stopped.admission.run_id,
    'cancelled before its start': dropped.run_id,
    expired: expiring,
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'runs/state-names',
    title:
      'run and snapshot name the states queued, running, waiting_approval, succeeded, failed, cancelled and expired',
    rules: ['RUN-11'],
    run: async (t) => {
      for (const [situation, runId] of Object.entries(await collectStates(t))) {
        const state = stateIn(situation)
        const run = await t.runIn(runId, [state])
        const { runs } = await readSnapshot(t, run.conversation_id)
        assert.equal(
          runs.find(({ run_id }) => run_id === runId)?.state,
          state,
          `the snapshot does not show the run ${runId} as ${state}`,
        )
      }
    },
  },
  {
    id: 'runs/delivery-state-in-any-state',
    title: 'delivery_state is waiting_device or device_received in every state of the run, and the snapshot agrees',
    rules: ['RUN-06', 'RUN-33'],
    run: async (t) => {
      for (const [situation, runId] of Object.entries(await collectStates(t))) {
        const { conversation_id: id, delivery_state: delivery } = await t.runIn(runId, [stateIn(situation)])
        assert.ok(
          ['waiting_device', 'device_received'].includes(delivery),
          `${situation}: delivery_state is ${delivery}, expected waiting_device or device_received`,
        )
        const { runs } = await readSnapshot(t, id)
        const shown = runs.find(({ run_id }) => run_id === runId)
        // A device may receive the run between two requests; then they cannot be compared.
        const { delivery_state: later } = await readRun(t, runId)
        if (later === delivery)
          assert.equal(
            shown?.device_received,
            delivery === 'device_received',
            `${situation}: delivery_state is ${delivery}, but device_received of the snapshot is ${shown?.device_received}`,
          )
      }
    },
  },
  {
    id: 'runs/delivered-when-taken',
    title: 'a run is device_received once a device claims it; a run never claimed stays waiting_device',
    rules: ['RUN-36'],
    streams: 1,
    run: async (t) => {
      const runs = await collectStates(t)
      const never = new Set(['queued', 'expired', 'cancelled before its start'])
      for (const [situation, runId] of Object.entries(runs)) {
        const { delivery_state } = await t.runIn(runId, [stateIn(situation)])
        const expected = never.has(situation) ? 'waiting_device' : 'device_received'
        assert.equal(delivery_state, expected, `${situation}: delivery_state is ${delivery_state}, not ${expected}`)
      }
      const stream = await t.me.runEvents(runs.waiting_approval ?? '', { after: 0 })
      await stream.event('approval.required', ({ type }) => type === 'approval.required')
      const startedAt = stream.events.find(({ type }) => type === 'run.started')?.seq ?? 0
      for (const { seq, type, payload } of stream.events)
        if (type === 'run.updated')
          assert.equal(Object(payload).delivery_state, seq < startedAt ? 'waiting_device' : 'device_received')
    },
  },
  {
    id: 'runs/waiting-approval-is-not-complete',
    title: 'a run that needs an approval is waiting_approval and not complete, and no public route approves it',
    rules: ['RUN-15', 'RUN-16'],
    tags: ['security'],
    streams: 1,
    run: async (t) => {
      const { conversation, admission } = await t.start({ approval: 'May I?' }, { succeed: { text: 'done' } })
      const { run_id: runId } = admission
      await t.runIn(runId, ['waiting_approval'])
      const stream = await t.me.runEvents(runId, { after: 0 })
      const { payload } = await stream.event('approval.required', ({ type }) => type === 'approval.required')
      const approvalId = Object.values(Object(payload)).find((value) => typeof value === 'string') ?? 'apr_1'
      const paths = [
        ...['approve', 'approval', 'approvals', `approvals/${approvalId}`].map((name) => `/runs/${runId}/${name}`),
        ...['', '/decision', '/approve'].map((name) => `/approvals/${approvalId}${name}`),
        `/conversations/${conversation.conversation_id}/approvals/${approvalId}`,
      ]
      for (const path of paths)
        for (const method of ['POST', 'PUT', 'PATCH']) {
          const answer = await t.me.request(method, path, {
            json: { decision: 'approve', approved: true },
            key: t.fresh('key'),
          })
          assert.ok(answer.status >= 400, `expected a refusal of ${method} ${path}, got ${answer.status}`)
        }
      for (const body of [{ approve: true }, { decision: 'approve' }])
        expectRefusal(await t.me.post(`/runs/${runId}/cancel`, body), 400)
      await t.admit(conversation, { text: 'approved', data: { approval_id: approvalId, decision: 'approve' } })
      await completeWorkElsewhere(t)
      const run = await readRun(t, runId)
      assert.equal(run.state, 'waiting_approval')
      expectNoResult(t, run)
      assert.ok(
        !stream.events.some(({ type }) => type === 'run.completed'),
        'a run that waits for an approval has the event run.completed',
      )
    },
  },
  {
    id: 'runs/cancelling-until-confirmed',
    title: 'a started run is cancelling, not in a terminal state, until its stop is confirmed',
    rules: ['RUN-17', 'RUN-27'],
    run: async (t) => {
      for (const stop of ['cancel', 'reset'] as const) {
        const { runId } = await observeDuringStop(async (stopDelayMs) => {
          const { conversation, admission } = await t.startIn('running', { stop_delay_ms: stopDelayMs }, { hang: true })
          const askedAt = performance.now()
          if (stop === 'cancel') expectStatus(await t.me.cancel(admission.run_id), 202)
          else await t.me.reset(conversation.conversation_id, 1, 'cancel_and_reset')
          // The run may show the stop a moment after the answer.
          const run = await t.until(
            'the run is no longer running',
            () => readRun(t, admission.run_id),
            ({ state }) => state !== 'running',
          )
          // The stop cannot have been confirmed before the delay is over.
          const over = performance.now() - askedAt >= stopDelayMs
          if (!over) {
            assert.equal(run.state, 'cancelling', `the run is ${run.state} before the stop of a ${stop} is confirmed`)
            expectNoResult(t, run)
          }
          return { over, runId: admission.run_id }
        })
        const ended = await t.until(
          'the run has stopped',
          () => readRun(t, runId),
          ({ state }) => state !== 'cancelling',
        )
        assert.equal(ended.state, 'cancelled', `the run is ${ended.state} after a ${stop} was confirmed`)
      }
    },
  },
]
