import assert from 'node:assert/strict'
import { createValidator, schemaAt } from '#openapi/validator'
import worker from '#openapi/worker.json' with { type: 'json' }
import type { WorkerRoute } from '../../kit/worker/simulated-worker-gateway.ts'
import type { WorkerCheck } from '../../kit/worker/worker-context.ts'

/** The schema of each request's body. */
const BODIES: Readonly<Partial<Record<WorkerRoute, string>>> = {
  sessions: 'OpenSession',
  claims: 'Claim',
  heartbeats: 'Heartbeat',
  steps: 'SendSteps',
  end: 'EndRun',
}

export const checks: readonly WorkerCheck[] = [
  {
    id: 'sessions/requests-follow-the-contract',
    title: 'every request carries the device key and a body that the contract allows',
    rules: ['WORK-10'],
    run: async ({ gateway, key, start }) => {
      const run = gateway.offer([{ delta: 'Hel' }, { delta: 'lo' }, { message: 'aside' }, { approval: 'May I?' }])
      await start()
      await gateway.until('the worker asks for the approval', () => run.approvalId ?? undefined)
      gateway.signal(run.runId, 'approved')
      await gateway.untilEnd(run)
      const ajv = createValidator(worker)
      for (const { route, body, request } of gateway.calls) {
        const what = `${request.method} ${request.path}`
        assert.equal(
          request.header('authorization'),
          `Bearer ${key}`,
          `${what} must carry the device key as bearer token`,
        )
        const schema = BODIES[route]
        if (schema === undefined) continue
        const validate = ajv.compile({ $ref: schemaAt('components', 'schemas', schema) })
        if (!validate(body)) {
          const [fault] = validate.errors ?? []
          throw new Error(`The body of ${what} breaks the contract: ${fault?.instancePath || '/'} ${fault?.message}`)
        }
      }
    },
  },
  {
    id: 'sessions/refused-key',
    title: 'a worker whose key is refused exits with a code other than 0 and stops trying',
    rules: ['WORK-20'],
    run: async ({ gateway, start }) => {
      gateway.on('sessions', () => ({
        status: 401,
        json: { status: 401, code: 'UNAUTHENTICATED', title: 'Unauthenticated', detail: 'The key is not valid.' },
      }))
      const code = await (await start()).ended()
      assert.notEqual(code, 0, 'the key is refused, but the worker exits with 0')
      assert.ok(gateway.to('sessions').length <= 3, `the worker tried ${gateway.to('sessions').length} times`)
    },
  },
  {
    id: 'sessions/lost',
    title: 'a worker whose session has ended opens a new one, and sends nothing more about its earlier runs',
    rules: ['WORK-19'],
    run: async ({ gateway, start }) => {
      const run = gateway.offer([{ delta: 'a' }, { hang: true }])
      await start()
      await gateway.untilStep(run)
      const beat = await gateway.until('a heartbeat arrives', () => gateway.to('heartbeats')[0])
      gateway.endSession(beat.sessionId ?? '')
      await gateway.until('another session is opened', () => gateway.to('sessions')[1])
      const before = gateway.callsAbout(run.runId).length
      const next = gateway.offer([{ delta: 'b' }])
      await gateway.untilEnd(next)
      assert.equal(
        gateway.callsAbout(run.runId).length,
        before,
        'the worker sends requests about a run of its ended session',
      )
    },
  },
  {
    id: 'sessions/key-stays-here',
    title: 'a redirect does not send the device key to another address',
    rules: ['WORK-21'],
    tags: ['security'],
    run: async ({ gateway, start }) => {
      // The redirect leads to another path of the same address instead, because the simulated gateway records every
      // request there.
      gateway.on('sessions', (_call, earlier) =>
        earlier === 0 ? { status: 307, headers: { location: '/elsewhere' }, text: '' } : null,
      )
      const run = gateway.offer([{ delta: 'a' }])
      const worker = await start()
      await gateway.until('the worker tries to open a session', () => gateway.to('sessions')[0])
      const runEnded = gateway.untilEnd(run)
      await Promise.any([runEnded, worker.ended()]).catch(() => {
        throw new Error('after a redirect a worker must try again or exit, but it does neither')
      })
      const withKey = () => gateway.unknownRequests().filter((request) => request.header('authorization') !== undefined)
      await gateway.quiet()
      assert.deepEqual(
        withKey().map(({ path }) => path),
        [],
        'the key must not follow a redirect',
      )
    },
  },
]
