import assert from 'node:assert/strict'
import type { WorkerCheck } from '../../kit/worker/worker-context.ts'

export const checks: readonly WorkerCheck[] = [
  {
    id: 'claims/keep-to-the-slots',
    title: 'a worker claims no more runs than it has free slots',
    rules: ['WORK-11'],
    run: async ({ gateway, start }) => {
      await start()
      const session = await gateway.until('a session is opened', () => gateway.to('sessions')[0])
      const slots = Number(session.body.slots)
      const runs = Array.from({ length: slots + 2 }, () => gateway.offer([{ delta: 'a' }, { hang: true }]))
      await gateway.until('all slots are taken', () =>
        runs.filter(({ steps }) => steps.length > 0).length >= slots ? true : undefined,
      )
      await gateway.quiet()
      assert.equal(
        runs.filter(({ steps }) => steps.length > 0).length,
        slots,
        `the session has ${slots} slots, but more runs are executed`,
      )
      for (const { body } of gateway.to('claims')) {
        const listed = Array.isArray(body.runs) ? body.runs.length : 0
        assert.ok(
          Number(body.limit) <= Math.max(0, slots - listed),
          `a claim asks for ${String(body.limit)} runs while ${listed} of ${slots} slots are taken`,
        )
      }
    },
  },
  {
    id: 'claims/given-again',
    title: 'a run whose claim response was lost is offered again and executed once',
    rules: ['WORK-12'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'once' }])
      gateway.on('claims', (_call, earlier) => (earlier === 0 ? 'cut' : null))
      await start()
      await gateway.untilEnd(run)
      assert.deepEqual([run.text, run.end], ['once', { state: 'succeeded' }])
    },
  },
  {
    id: 'claims/given-twice',
    title: 'a run that is assigned again while the worker executes it is not executed twice',
    rules: ['WORK-12'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: 1500 }, { delta: 'b' }])
      let given: object | null = null
      gateway.onClaimed((claimed) => {
        given ??= claimed
      })
      await start()
      await gateway.untilStep(run)
      gateway.on('claims', (_call, earlier) =>
        earlier === 0 && given !== null ? { status: 200, json: { runs: [given] } } : null,
      )
      const end = await gateway.untilEnd(run)
      assert.deepEqual([run.text, end], ['ab', { state: 'succeeded' }])
      await gateway.quiet()
      // Every request was answered, so none had to be sent again.
      const sent = gateway.callsAbout(run.runId).map(({ route, body }) => `${route} ${String(body.index)}`)
      assert.deepEqual(sent, [...new Set(sent)], 'a step was sent twice, so the run was executed twice')
    },
  },
]
