import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import {
  conversationOfKey,
  conversationsOf,
  createRun,
  createRunOfKey,
  refuseRun,
  runsOf,
} from '../../../kit/steps/direct-runs.ts'
import { completeReset } from '../../../kit/steps/resets.ts'
import { readRun } from '../../../kit/steps/runs.ts'
import { inputsIn } from '../../../kit/steps/snapshots.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const WINDOW_MS = 24 * HOUR_MS

const iso = (at: number): string => new Date(at).toISOString()

/**
 * Sends start times around an edge of the window. Fails if one is admitted that lies outside the window by the run's
 * created_at. The gateway may compare the start time at any moment of the request, so the duration of the request is
 * tolerated.
 */
async function expectWithinWindow(t: ServerContext, key: string, offsetsMs: readonly number[]): Promise<void> {
  for (const offsetMs of offsetsMs) {
    const at = t.now() + offsetMs
    const body = { input: t.script({ succeed: {} }), conversation_key: key, start_before: iso(at) }
    const before = new Set((await runsOf(await conversationOfKey(t, key), t.me)).map(({ run_id }) => run_id))
    const askedAt = performance.now()
    const { status } = await t.me.createRun(t.config.services.main, body)
    const tookMs = performance.now() - askedAt
    if (status === 400) continue
    const run = (await runsOf(await conversationOfKey(t, key), t.me)).find(({ run_id }) => !before.has(run_id))
    const { created_at: createdAt } = await readRun(t, run?.run_id ?? '')
    const afterMs = at - Date.parse(createdAt)
    assert.ok(
      afterMs > -tookMs && afterMs <= WINDOW_MS + tookMs,
      `a run created at ${createdAt} was admitted with start_before ${iso(at)}, ${afterMs} ms after its admission`,
    )
  }
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'direct-runs/fields',
    title:
      'a direct run takes input and, optionally, conversation_key, expected_generation and start_before; no other field',
    rules: ['DIRECT-01'],
    run: async (t) => {
      const key = t.fresh('fields')
      const startBefore = iso(t.now() + HOUR_MS)
      const bodies = [
        {},
        { start_before: startBefore },
        { expected_generation: 1 },
        { expected_generation: 1, start_before: startBefore },
      ]
      for (const [at, more] of bodies.entries()) {
        const input = { ...t.script({ succeed: { text: `result ${at}` } }), text: `input ${at}` }
        const runId = await createRunOfKey(t, key, { input, ...more })
        const conversation = await conversationOfKey(t, key)
        assert.equal((await t.runEnded(runId)).result?.text, `result ${at}`)
        const inputs = await inputsIn(t, conversation.conversation_id)
        const submitted = inputs.find(({ run_id }) => run_id === runId)
        assert.deepEqual([submitted?.content.text, submitted?.content.data], [input.text, input.data])
      }
      const input = { text: 'x' }
      await createRun(t, { input: t.script({ succeed: {} }), start_before: startBefore })
      for (const name of [
        'x',
        'model',
        'busy_policy',
        'working_directory',
        'conversation_id',
        'endpoint_id',
        'subject',
      ])
        await refuseRun(t, { input, conversation_key: key, [name]: 'reject' }, [400], 'UNKNOWN_FIELD')
      await refuseRun(t, { input: { ...input, model: 'x' }, conversation_key: key }, [400], 'UNKNOWN_FIELD')
      for (const given of [1, null, true, ['x'], {}])
        await refuseRun(t, { input, conversation_key: given }, [400], 'INVALID_REQUEST')
      for (const given of ['1', 0, -1, 1.5, null, true])
        await refuseRun(t, { input, conversation_key: key, expected_generation: given }, [400], 'INVALID_REQUEST')
      for (const given of ['soon', 5, null, iso(t.now() + HOUR_MS).replace('Z', '')])
        await refuseRun(t, { input, conversation_key: key, start_before: given }, [400], 'INVALID_REQUEST')
      assert.equal((await runsOf(await conversationOfKey(t, key), t.me)).length, bodies.length)
    },
  },
  {
    id: 'direct-runs/generation-needs-a-key',
    title: 'expected_generation without conversation_key is refused and creates nothing',
    rules: ['DIRECT-04'],
    needs: ['freshSubjects'],
    run: async (t) => {
      await t.conversation({ conversation_key: t.fresh('order') })
      for (const generation of [1, 2])
        await refuseRun(t, { input: { text: 'x' }, expected_generation: generation }, [400, 409])
      assert.equal((await conversationsOf(t)).length, 1, 'a refused direct run created a conversation')
    },
  },
  {
    id: 'direct-runs/generation-without-key-is-invalid',
    title: 'expected_generation without conversation_key is 400 INVALID_REQUEST',
    rules: ['DIRECT-09'],
    run: async (t) => {
      const input = { text: 'x' }
      for (const generation of [1, 2])
        await refuseRun(t, { input, expected_generation: generation }, [400], 'INVALID_REQUEST')
      const startBefore = iso(t.now() + HOUR_MS)
      await refuseRun(t, { input, expected_generation: 1, start_before: startBefore }, [400], 'INVALID_REQUEST')
    },
  },
  {
    id: 'direct-runs/generation-needs-the-association',
    title:
      'expected_generation is accepted only if the key has a conversation at that generation; a refusal creates nothing',
    rules: ['DIRECT-05'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const key = t.fresh('later')
      const run = (generation: number) => ({
        input: t.script({ succeed: {} }),
        conversation_key: key,
        expected_generation: generation,
      })
      for (const generation of [1, 2]) await refuseRun(t, run(generation), [400, 404, 409])
      await t.caller({ subject: t.otherSubject() }).createConversation({
        endpoint_id: t.config.services.main,
        conversation_key: key,
      })
      await refuseRun(t, run(1), [400, 404, 409])
      assert.deepEqual(await conversationsOf(t), [], 'a refused direct run created a conversation')

      const { conversation_id: id } = await t.conversation({ conversation_key: key })
      await refuseRun(t, run(2), [409], 'GENERATION_CONFLICT')
      await createRun(t, run(1))
      await t.runEnded((await runsOf({ conversation_id: id }, t.me)).at(-1)?.run_id ?? '')
      await completeReset(t, id, 1)
      for (const generation of [1, 3]) await refuseRun(t, run(generation), [409], 'GENERATION_CONFLICT')
      await createRun(t, run(2))
      const generations = (await runsOf({ conversation_id: id }, t.me)).map(({ generation }) => generation)
      assert.ok(generations.includes(2), `no run has the current generation 2, got ${generations.join(', ')}`)
    },
  },
  {
    id: 'direct-runs/generation-of-an-unknown-key',
    title: 'expected_generation with a key that has no conversation yet is 409 GENERATION_CONFLICT, and creates none',
    rules: ['DIRECT-10'],
    needs: ['freshSubjects'],
    run: async (t) => {
      const key = t.fresh('unknown')
      const body = { input: t.script({ succeed: {} }), conversation_key: key, expected_generation: 1 }
      await Promise.all([1, 2, 3].map(() => refuseRun(t, body, [409], 'GENERATION_CONFLICT')))
      assert.deepEqual(await conversationsOf(t), [])
      await createRun(t, { input: body.input, conversation_key: key })
      await createRun(t, body)
    },
  },
  {
    id: 'direct-runs/start-window',
    title: 'start_before of a direct run is later than now and at most 24 hours after admission',
    rules: ['DIRECT-06'],
    tags: ['limit'],
    run: async (t) => {
      const key = t.fresh('window')
      const conversation = await t.conversation({ conversation_key: key })
      await t.admit(conversation, t.script({ hang: true }))
      const at = (ms: number) => ({ input: { text: 'x' }, conversation_key: key, start_before: iso(t.now() + ms) })
      const minute = 60 * SECOND_MS
      for (const ms of [-2 * SECOND_MS, -minute, -WINDOW_MS, WINDOW_MS + minute, 25 * HOUR_MS, 48 * HOUR_MS])
        await refuseRun(t, at(ms), [400], 'INVALID_REQUEST')
      assert.equal((await runsOf(conversation, t.me)).length, 1, 'a direct run with an invalid start_before left a run')
      for (const ms of [minute, 6 * minute, 12 * HOUR_MS, WINDOW_MS - minute]) await createRun(t, at(ms))
      const aroundZero = [-50, -5, 0, 1]
      const aroundEnd = [-5, 0, 5, 50, 300, 5 * SECOND_MS].map((ms) => WINDOW_MS + ms)
      await expectWithinWindow(t, key, [...aroundZero, ...aroundEnd])
    },
  },
]
