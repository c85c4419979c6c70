import assert from 'node:assert/strict'
import type { WorkerCheck } from '../../kit/worker/worker-context.ts'

const HANGING = [{ delta: 'a' }, { hang: true }] as const

const lists = (body: Readonly<Record<string, unknown>>, runId: string): boolean =>
  JSON.stringify(body.runs ?? []).includes(`"${runId}"`)

export const checks: readonly WorkerCheck[] = [
  {
    id: 'heartbeats/in-time',
    title: 'heartbeats are sent within the lease and name every run that the worker holds',
    rules: ['WORK-15'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer(HANGING)
      await start()
      await gateway.untilStep(run)
      const naming = await gateway.until('three heartbeats name the run', () => {
        const found = gateway.to('heartbeats').filter(({ body }) => lists(body, run.runId))
        return found.length >= 3 ? found : undefined
      })
      for (const [index, { request }] of naming.entries()) {
        const before = naming[index - 1]?.request.arrivedAtMs ?? request.arrivedAtMs
        assert.ok(request.arrivedAtMs - before < gateway.leaseMs, 'two heartbeats are further apart than the lease')
      }
    },
  },
  {
    id: 'heartbeats/a-failure-is-no-loss',
    title: 'a heartbeat that is cut off or answered with 503 is repeated, and the runs continue',
    rules: ['WORK-16'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: gateway.leaseMs * 1.5 }, { delta: 'b' }])
      gateway.on('heartbeats', (_call, earlier) =>
        earlier >= 4
          ? null
          : earlier % 2 === 0
            ? 'cut'
            : { status: 503, json: { status: 503, code: 'UNAVAILABLE', title: 'Unavailable', detail: 'Try again.' } },
      )
      await start()
      const end = await gateway.untilEnd(run)
      assert.deepEqual([run.text, end], ['ab', { state: 'succeeded' }])
    },
  },
  {
    id: 'heartbeats/watchdog',
    title:
      'if heartbeats stay unanswered the worker stops its runs when the lease expires, and sends nothing more about them',
    rules: ['WORK-16'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: gateway.leaseMs * 1.5 }, { delta: 'b' }])
      gateway.on('heartbeats', () => 'hang')
      await start()
      await gateway.untilStep(run)
      await gateway.until('another session is opened', () => gateway.to('sessions')[1])
      await gateway.sleep(gateway.leaseMs)
      assert.deepEqual([run.text, run.end], ['a', null])
    },
  },
  {
    id: 'heartbeats/lost-is-final',
    title: 'after a heartbeat reports a run as lost, the worker sends nothing more about it',
    rules: ['WORK-17'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: 4000 }, { delta: 'b' }])
      await start()
      await gateway.untilStep(run)
      await gateway.until('a heartbeat names the run', () =>
        gateway.to('heartbeats').find(({ body }) => lists(body, run.runId)),
      )
      const [before, sent] = [gateway.to('heartbeats').length, gateway.callsAbout(run.runId).length]
      gateway.lose(run.runId)
      await gateway.until('a heartbeat omits the lost run', () =>
        gateway
          .to('heartbeats')
          .slice(before)
          .find(({ body }) => !lists(body, run.runId)),
      )
      await gateway.sleep(4500)
      assert.equal(
        gateway.callsAbout(run.runId).length,
        sent,
        'the worker sends requests about a run that was reported as lost',
      )
    },
  },
  {
    id: 'steps/lost-is-final',
    title: 'after RUN_LOST for the steps of a run, the worker sends nothing more about it',
    rules: ['WORK-17'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: 200 }, { delta: 'b' }, { sleep_ms: 200 }, { delta: 'c' }])
      const other = gateway.offer([{ delta: 'x' }, { sleep_ms: 1000 }, { delta: 'y' }])
      gateway.on('steps', ({ runId }) => {
        if (runId === run.runId) gateway.lose(runId)
        return null
      })
      await start()
      const end = await gateway.untilEnd(other)
      assert.deepEqual([other.text, end], ['xy', { state: 'succeeded' }])
      assert.equal(gateway.callsAbout(run.runId).length, 1, 'the worker must stop after the first RUN_LOST')
    },
  },
  {
    id: 'stops/confirmed',
    title: 'a run with a requested stop ends as cancelled once its assistant has ended',
    rules: ['WORK-17'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer(HANGING)
      await start()
      await gateway.untilStep(run)
      gateway.signal(run.runId, 'stop')
      assert.deepEqual(await gateway.untilEnd(run), { state: 'cancelled' })
    },
  },
  {
    id: 'leaving/drain',
    title: 'on a stop signal a worker claims no more runs, finishes its runs, closes its session and exits with 0',
    rules: ['WORK-23'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { sleep_ms: 1500 }, { delta: 'b' }])
      const worker = await start()
      await gateway.untilStep(run)
      worker.terminate()
      await gateway.sleep(300)
      const late = gateway.offer([{ delta: 'late' }])
      assert.equal(await worker.ended(), 0)
      assert.deepEqual([run.text, run.end], ['ab', { state: 'succeeded' }])
      assert.deepEqual([late.steps, late.end], [[], null])
      assert.equal(gateway.to('close').length, 1, 'the worker must close its session')
    },
  },
]
