import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import { upload } from '../../../kit/steps/attachments.ts'
import { isComplete, readOperation } from '../../../kit/steps/operation-paths.ts'
import { expectReplay } from '../../../kit/steps/replays.ts'
import { observeDuringStop } from '../../../kit/steps/slow-stop.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'
import { whileAdmissionIsPaused } from '../../../kit/steps/suspensions.ts'

interface Admitted {
  /** The first answer. */
  readonly first: Answer
  again(): Promise<Answer>
}

/** Makes a request under a new key. Fails unless it is admitted. */
async function admitted(t: ServerContext, make: (key: string) => Promise<Answer>): Promise<Admitted> {
  const key = t.fresh('key')
  const first = expectStatus(await make(key), 201, 202)
  return { first, again: () => make(key) }
}

/** Makes a request with a start_before in the near future. If it arrives too late, tries again with a later one. */
async function admittedInTime(
  t: ServerContext,
  make: (key: string, startBefore: string) => Promise<Answer>,
): Promise<Admitted & { readonly startBeforeMs: number }> {
  for (let marginMs = 1200; ; marginMs *= 2) {
    const key = t.fresh('key')
    const startBeforeMs = t.now() + marginMs
    const again = () => make(key, new Date(startBeforeMs).toISOString())
    const first = await again()
    const isTooLate = first.status === 400 && t.now() >= startBeforeMs && marginMs < 60_000
    if (!isTooLate) return { first: expectStatus(first, 202), again, startBeforeMs }
  }
}

/** Fails unless repeating the request returns the first answer. The spelling of its JSON may differ (D-64). */
const expectRepeated = async ({ first, again }: Admitted, when: string): Promise<void> =>
  expectReplay(`the replay ${when}`, await again(), first)

const memberOf = ({ body }: Answer, name: string): string => String(Object(body)[name])

export const checks: readonly ServerCheck[] = [
  {
    id: 'requests/replay-before-start-before',
    title: 'a replay whose start_before has passed returns the first answer',
    rules: ['REQ-12', 'REQ-13'],
    tags: ['slow'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const input = t.script({ succeed: { text: 'x' } })
      const message = await admittedInTime(t, (key, startBefore) => t.me.send(id, input, { key, startBefore }))
      const direct = await admittedInTime(t, (key, startBefore) =>
        t.me.createRun(t.config.services.main, { input, start_before: startBefore }, { key }),
      )
      const latestMs = Math.max(message.startBeforeMs, direct.startBeforeMs)
      await t.until(
        'start_before has passed',
        async () => t.now(),
        (now) => now > latestMs + 50,
      )
      const startBefore = new Date(latestMs).toISOString()
      expectRefusal(await t.me.send(id, input, { startBefore }), 400, 'INVALID_REQUEST')
      await expectRepeated(message, 'of a message after its start_before')
      await expectRepeated(direct, 'of a direct run after its start_before')
    },
  },
  {
    id: 'requests/replay-before-attachments',
    title: 'a replay whose attachment has been deleted returns the first answer',
    rules: ['REQ-12', 'REQ-13'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const { resource_id: resource } = await upload(t)
      const input = { ...t.script({ succeed: { text: 'x' } }), resource_ids: [resource] }
      const message = await admitted(t, (key) => t.me.send(id, input, { key }))
      await t.runEnded(memberOf(message.first, 'run_id'))
      expectStatus(await t.me.request('DELETE', `/resources/${resource}`), 204)
      expectRefusal(await t.me.send(id, input), 400, 'INVALID_REQUEST')
      await expectRepeated(message, 'after the attachment was deleted')
    },
  },
  {
    id: 'requests/replay-before-generation',
    title:
      'replays of a creation, message, direct run, cancel and reset return the first answers after the generation has advanced',
    rules: ['REQ-12', 'REQ-13'],
    run: async (t) => {
      const { main } = t.config.services
      const businessKey = t.fresh('order')
      const created = await admitted(t, (key) =>
        t.me.createConversation({ endpoint_id: main, conversation_key: businessKey }, { key }),
      )
      const id = memberOf(created.first, 'conversation_id')
      const message = await admitted(t, (key) => t.me.send(id, t.script({ delta: 'x' }), { key }))
      const runId = memberOf(message.first, 'run_id')
      const direct = await admitted(t, (key) =>
        t.me.createRun(main, { input: { text: 'x' }, conversation_key: businessKey, expected_generation: 1 }, { key }),
      )
      await expectRepeated(message, 'of a message before its run has ended')
      await Promise.all([runId, memberOf(direct.first, 'run_id')].map((run) => t.runEnded(run)))
      await expectRepeated(message, 'of a message after its run has ended')
      const cancel = await admitted(t, (key) => t.me.cancel(runId, { key }))
      const reset = await admitted(t, (key) => t.me.reset(id, 1, undefined, { key }))
      await t.operationEnded(memberOf(reset.first, 'operation_id'))
      expectRefusal(await t.me.send(id, { text: 'x' }), 409, 'GENERATION_CONFLICT')
      for (const [what, request] of Object.entries({ created, message, direct, cancel, reset }))
        await expectRepeated(request, `(${what}) after a reset`)
      // A condition that refuses a new reset does not refuse a replay.
      const later = expectStatus(await t.me.send(id, t.script({ hang: true }), { generation: 2 }), 202).body
      expectRefusal(await t.me.reset(id, 2), 409, 'BUSY')
      await expectRepeated(reset, 'of a reset while there is unfinished work')
      await t.me.cancel(later.run_id)
      const { generation, runs } = await readSnapshot(t, id)
      assert.ok(
        generation === 2 && runs.length <= 3,
        `replays had an effect: generation ${generation}, expected 2; ${runs.length} runs, expected at most 3`,
      )
    },
  },
  {
    id: 'requests/replay-before-busy',
    title: 'while a conversation is resetting, replays of its message and of its reset return the first answers',
    rules: ['REQ-12', 'REQ-13'],
    run: async (t) => {
      const { message, reset, busy } = await observeDuringStop(async (stopDelayMs) => {
        const { conversation_id: id } = await t.conversation()
        const steps = t.script({ stop_delay_ms: stopDelayMs }, { hang: true })
        const message = await admitted(t, (key) => t.me.send(id, steps, { key }))
        await t.runIn(memberOf(message.first, 'run_id'), ['running'])
        const reset = await admitted(t, (key) => t.me.reset(id, 1, 'cancel_and_reset', { key }))
        const busy = await t.me.send(id, { text: 'x' })
        await expectRepeated(message, 'of a message while resetting')
        await expectRepeated(reset, 'of a reset while resetting')
        const over = isComplete((await readOperation(t, memberOf(reset.first, 'operation_id'))).state)
        return { message, reset, busy, over }
      })
      expectRefusal(busy, 409, 'BUSY')
      await t.operationEnded(memberOf(reset.first, 'operation_id'))
      await expectRepeated(reset, 'of a reset that has succeeded')
      await expectRepeated(message, 'of a message whose run was cancelled')
    },
  },
  {
    id: 'requests/replay-before-queue-limit',
    title: 'while 20 runs are queued, replays of the first and the last message return the original answers',
    rules: ['REQ-12', 'REQ-13'],
    tags: ['limit'],
    run: async (t) => {
      const { conversation } = await t.startIn('running', { hang: true })
      const { conversation_id: id } = conversation
      const queued: Admitted[] = []
      for (let count = 0; count < 20; count += 1)
        queued.push(await admitted(t, (key) => t.me.send(id, { text: `${count}` }, { key })))
      expectRefusal(await t.me.send(id, { text: 'x' }), 429, 'QUEUE_FULL')
      for (const request of [queued[0], queued[19]])
        if (request) await expectRepeated(request, 'while the queue is full')
    },
  },
  {
    id: 'requests/replay-before-device',
    title: 'while a device is full, paused or disabled, replays of its work return the first answers',
    rules: ['REQ-12', 'REQ-13'],
    needs: [
      'driver.createService',
      'driver.limitDevice',
      'driver.pauseDevice',
      'driver.resumeDevice',
      'driver.disableDevice',
      'driver.enableDevice',
    ],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      const input = t.script({ hang: true })
      const message = await admitted(t, (key) => t.me.send(id, input, { key }))
      const direct = await admitted(t, (key) => t.me.createRun(endpointId, { input }, { key }))
      const refusedKeys: string[] = []
      const expectBoth = async (when: string, status: number, code: string) => {
        const key = t.fresh('refused')
        refusedKeys.push(key)
        expectRefusal(await t.me.send(id, { text: 'new' }, { key }), status, code)
        await expectRepeated(message, `of a message ${when}`)
        await expectRepeated(direct, `of a direct run ${when}`)
      }
      await t.driver.limitDevice(endpointId, { pendingRuns: 1 })
      await expectBoth('while the device is full', 429, 'PENDING_LIMIT')
      await t.driver.limitDevice(endpointId, { pendingRuns: null })
      await t.driver.pauseDevice(endpointId)
      await expectBoth('while the device is paused', 503, 'CAPABILITY_UNAVAILABLE')
      await t.driver.resumeDevice(endpointId)
      await t.driver.disableDevice(endpointId)
      await expectBoth('while the device is disabled', 403, 'PERMISSION_DENIED')
      await t.driver.enableDevice(endpointId)
      // D-12 decides that a refused request leaves its key unused.
      if (t.profile === 'reference')
        for (const key of refusedKeys) expectStatus(await t.me.send(id, { text: 'now' }, { key }), 202)
      await t.me.cancel(memberOf(direct.first, 'run_id'))
    },
  },
  {
    id: 'requests/replay-before-paused-admission',
    title: 'while admission is paused, replays of a message and of a direct run return the first answers',
    rules: ['REQ-12', 'REQ-13'],
    needs: ['driver.pauseAdmission', 'driver.resumeAdmission'],
    alone: 'all',
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const input = t.script({ succeed: { text: 'x' } })
      const message = await admitted(t, (key) => t.me.send(id, input, { key }))
      const direct = await admitted(t, (key) => t.me.createRun(t.config.services.main, { input }, { key }))
      await whileAdmissionIsPaused(t, async () => {
        expectRefusal(await t.me.send(id, input), 503, 'CAPABILITY_UNAVAILABLE')
        await expectRepeated(message, 'of a message while admission is paused')
        await expectRepeated(direct, 'of a direct run while admission is paused')
      })
    },
  },
  {
    id: 'requests/replay-before-publication',
    title: 'after a breaking publication a replay of an earlier message returns the first answer',
    rules: ['REQ-12', 'REQ-13'],
    needs: ['driver.createService', 'driver.publishVersion'],
    run: async (t) => {
      const { endpointId } = await t.driver.createService()
      const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId })
      const message = await admitted(t, (key) => t.me.send(id, t.script({ succeed: { text: 'x' } }), { key }))
      await t.driver.publishVersion(endpointId, 'breaking')
      expectRefusal(await t.me.send(id, { text: 'x' }), 409, 'GENERATION_CONFLICT')
      await expectRepeated(message, 'after a breaking publication')
    },
  },
]
