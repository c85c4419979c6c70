import { randomUUID } from 'node:crypto'
import type { Admission } from '@conversation-gateway/openapi/generated/gateway-closed'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_WORKER_SETTINGS } from '../../src/devices/settings.ts'
import { removeDiscardedContent } from '../../src/gateway/retention.ts'
import type { Answer } from '../support/client.ts'
import { ended, script } from '../support/client.ts'
import type { RowCounts } from '../support/databases/row-counts.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { SETTINGS } from '../support/gateway-fixture.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import type { Send } from '../support/repeated-requests.ts'
import { REPEATED_REQUESTS } from '../support/repeated-requests.ts'
import type { RunningGateway } from '../support/running-gateway.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

const AT_ONCE = 50
/** Delays after which a client aborts a request, spread over its arrival, decision, commit and answer. */
const ABORT_AFTER_MS = Array.from({ length: 13 }, (_, ms) => ms)

const FAR_FROM_LIMITS = { ...SETTINGS, pendingPerApp: 10_000, pendingPerDevice: 10_000 }
/** An admission near a limit takes the limit's lock. */
const NEAR_A_LIMIT = { ...SETTINGS, pendingPerApp: 128 }

const SLOTS = 2

const isFirst = ({ status, headers }: Answer): boolean => status < 300 && !headers.has('idempotency-replayed')

/** Compares the rows of the database before and after requests. */
const createEffects = (running: RunningGateway) => {
  const rows = async () => {
    const { context } = running.gateway
    // The content of aborted uploads is removed later, so it is not an effect.
    await removeDiscardedContent(context)
    return countRows(context.db)
  }
  const change = (before: RowCounts, after: RowCounts, times = 1) =>
    Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, (count - Reflect.get(before, name)) * times]),
    )
  return {
    rows,
    change,
    /** The effect of a single request that is not repeated. */
    ofOne: async (send: Send, times = 1) => {
      const before = await rows()
      expect((await send()).status).toBeLessThan(300)
      return change(before, await rows(), times)
    },
  }
}

const requestsAtOnce = (running: RunningGateway, { onlyRuns }: { readonly onlyRuns: boolean }): void => {
  const effects = createEffects(running)
  test.each(REPEATED_REQUESTS.filter(({ admitsRun }) => admitsRun || !onlyRuns))(
    `${AT_ONCE} concurrent repeats of $name have one effect [IDEM-30, IDEM-23, IDEM-24, HOOK-30, HOOK-54]`,
    async ({ name, prepare }) => {
      const effectOfOne = await effects.ofOne(await prepare(running))
      const send = await prepare(running)
      const before = await effects.rows()
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send()))
      expect(effects.change(before, await effects.rows())).toEqual(effectOfOne)
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
      if (name !== 'putResourceContent') expect(answers.filter(isFirst)).toHaveLength(1)
    },
  )
}

onGateways(
  'requests with the same key',
  (running) => {
    const device = playDevice(running)
    const effects = createEffects(running)
    beforeAll(() => device.beat())

    requestsAtOnce(running, { onlyRuns: false })

    test.each(REPEATED_REQUESTS.filter(({ varies }) => varies))(
      'only one of different concurrent $name requests with one key has effects [IDEM-30, IDEM-06, HOOK-31]',
      async ({ prepare }) => {
        const first = await prepare(running)
        const effectOfOne = await effects.ofOne(() => first({ variant: 1 }))
        const send = await prepare(running)
        const before = await effects.rows()
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, variant) => send({ variant })))
        expect(effects.change(before, await effects.rows())).toEqual(effectOfOne)
        const admitted = answers.filter(({ status }) => status < 300)
        expect(new Set(admitted.map(({ body }) => JSON.stringify(body))).size).toBe(1)
        for (const { status } of answers.filter((answer) => !admitted.includes(answer))) expect(status).toBe(409)
      },
    )

    test('have one effect if the client aborts and repeats them [IDEM-30, IDEM-23]', async () => {
      const intentions: { readonly name: string; readonly effect: object; readonly sends: readonly Send[] }[] = []
      for (const { name, prepare } of REPEATED_REQUESTS) {
        const effect = await effects.ofOne(await prepare(running), ABORT_AFTER_MS.length)
        const sends: Send[] = []
        for (const _ of ABORT_AFTER_MS) sends.push(await prepare(running))
        intentions.push({ name, effect, sends })
      }
      // A late effect of an aborted attempt would change the row counts of this operation or of the next one.
      for (const { name, effect, sends } of intentions) {
        const before = await effects.rows()
        for (const [at, send] of sends.entries()) {
          await send({ signal: AbortSignal.timeout(ABORT_AFTER_MS[at] ?? 0) }).catch(() => {})
          expect((await send()).status).toBeLessThan(300)
        }
        // The content of an aborted upload might still be stored.
        await untilHolds(async () =>
          expect([name, effects.change(before, await effects.rows())]).toEqual([name, effect]),
        )
      }
    })
  },
  { ...WITHOUT_WORKER, settings: FAR_FROM_LIMITS },
)

onGateways(
  'a run that starts immediately',
  (running) => {
    test('starts once for 50 identical requests, and occupies one slot [IDEM-30, IDEM-23]', async () => {
      const client = running.client()
      const input = script({ hang: true })
      const { conversation_id: id } = (await client.createConversation()).body
      const requests = [
        (key: string) => client.send(id, input, 1, key),
        (key: string) => client.post<Admission>('/api/v1/agent-endpoints/ep_script/runs', { input }, key),
      ]
      // Repeats this more often than there are slots, so that leaked slots would block the last run.
      for (let time = 0; time <= SLOTS; time += 1)
        for (const request of requests) {
          const key = randomUUID()
          const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => request(key)))
          const [runId = '', ...others] = new Set(answers.map(({ body }) => body.run_id))
          expect(others).toEqual([])
          const events = await client.runEvents(runId)
          await events.until((seen) => seen.some(({ type }) => type === 'run.started'))
          await client.cancel(runId)
          await ended(client, runId)
          await events.until((seen) => seen.some(({ type }) => type === 'run.cancelled'))
          events.close()
          expect(events.events.filter(({ type }) => type === 'run.started')).toHaveLength(1)
        }
    })
  },
  { worker: { ...DEFAULT_WORKER_SETTINGS, heartbeatMs: 40, runConcurrency: SLOTS } },
)

onGateways(
  'near a pending limit',
  (running) => {
    const device = playDevice(running)
    beforeAll(() => device.beat())
    requestsAtOnce(running, { onlyRuns: true })
  },
  { ...WITHOUT_WORKER, settings: NEAR_A_LIMIT },
)
