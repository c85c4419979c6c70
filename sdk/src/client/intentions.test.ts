import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backgroundWorkStarted } from '../../test/support/background-work.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { connectTo } from '../../test/support/scripted-client.ts'
import {
  createAnsweringFetch,
  hang,
  html,
  json,
  lost,
  partly,
  problem,
  type Reply,
  raw,
} from '../../test/support/scripted-fetch.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import type { ErrorCode } from '../generated/errors.ts'
import { memoryOutbox } from '../outbox/memory-outbox.ts'
import { createClient } from './create-client.ts'

/** Transient refusals, which a gateway may give before it looks up the key (D-07). */
const BEFORE_CHECK = ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'RATE_LIMITED'] as const satisfies ErrorCode[]
/**
 * Refusals that rule out an earlier admission under the key: they depend on the bytes alone, or follow the look-up of
 * the key.
 */
const NEVER_ADMITTED = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'CAPABILITY_UNAVAILABLE',
  'GENERATION_CONFLICT',
  'BUSY',
  'QUEUE_FULL',
  'PENDING_LIMIT',
] as const satisfies ErrorCode[]

/** The fate of one request: whether it reaches the gateway, and how the client sees its answer. */
type Fate =
  | { readonly arrives: boolean; readonly answer: keyof typeof BROKEN | 'intact' }
  | { readonly refused: (typeof BEFORE_CHECK)[number] | (typeof NEVER_ADMITTED)[number] }

const BROKEN = {
  lost,
  hang,
  page: html(200),
  'no content': raw(204, null),
  cut: partly(202, '{"run_id":"run_1","sta', 'breaks'),
  'bad gateway': html(502),
  unavailable: raw(503, ''),
  'internal error': problem('INTERNAL'),
} satisfies Record<string, Reply>

const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({
    arrives: fc.boolean(),
    answer: fc.constantFrom(...(Object.keys(BROKEN) as (keyof typeof BROKEN)[])),
  }),
  fc.record({ refused: fc.constantFrom(...BEFORE_CHECK, ...NEVER_ADMITTED) }),
  fc.constant<Fate>({ arrives: true, answer: 'intact' }),
)

/**
 * Admits a key once and repeats that answer; applies one fate to each request, and the last one to all further
 * requests.
 */
const createModelGateway = (fates: readonly Fate[], onRequest: (index: number) => void = () => {}) => {
  const admissions: string[] = []
  let count = 0
  const script = createAnsweringFetch(async (request) => {
    onRequest(count)
    const next = fates[Math.min(count++, fates.length - 1)] ?? { arrives: true, answer: 'intact' }
    const intention = `${request.headers.get('idempotency-key')} ${await request.text()}`
    const isReplay = admissions.includes(intention)
    const answer: Reply = (of) =>
      json(
        202,
        { run_id: `run_${admissions.indexOf(intention) + 1}` },
        { 'idempotency-replayed': String(isReplay) },
      )(of)
    if ('refused' in next) {
      const isImpossible = isReplay && NEVER_ADMITTED.some((code) => code === next.refused)
      return isImpossible ? answer(request) : problem(next.refused)(request)
    }
    if (next.arrives && !isReplay) admissions.push(intention)
    return next.answer === 'intact' ? answer(request) : BROKEN[next.answer](request)
  })
  return { fetch: script.fetch, admissions, requests: script.requests, heal: (fateNow: Fate) => (fates = [fateNow]) }
}

const HEALTHY: Fate = { arrives: true, answer: 'intact' }

describe('an intention', () => {
  it('is admitted at most once, and reports its true outcome, whatever is lost, refused or aborted [IDEM-05, CANCEL-06]', async () => {
    const fates = fc.array(fate, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fates,
        fc.option(fc.nat(4)),
        fc.boolean(),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        async (fateList, abortAt, isConflictLater, chance) => {
          const timing = createManualTiming(chance)
          const caller = new AbortController()
          const gateway = createModelGateway(fateList, (index) => index === abortAt && caller.abort(new Error('left')))
          const outbox = memoryOutbox()
          const options = { baseUrl: ORIGIN, apiKey: 'gk_1', fetch: gateway.fetch, timing, timeoutMs: 30_000 }
          const client = createClient({ ...options, subject: 'customer-1', outbox })
          const call = client.messages.send(
            'conv_1',
            { expected_generation: 1, input: { text: 'Hello' } },
            { signal: caller.signal, attemptTimeoutMs: 5_000 },
          )
          const outcome = await timing.drive(call.outcome())
          const { length: admitted } = gateway.admissions
          expect(admitted).toBeLessThanOrEqual(1)
          await backgroundWorkStarted()
          expect(await outbox.list()).toHaveLength(outcome.kind === 'unknown' ? 1 : 0)
          if (outcome.kind === 'admitted') {
            expect(admitted).toBe(1)
            expect(outcome.data).toEqual({ run_id: 'run_1' })
          }
          if (outcome.kind === 'refused') expect(admitted).toBe(0)
          if (outcome.kind !== 'unknown') return

          // In another process, which has only the stored handle.
          gateway.heal(isConflictLater ? { refused: 'GENERATION_CONFLICT' } : HEALTHY)
          const handle: typeof outcome.handle = JSON.parse(JSON.stringify(outcome.handle))
          const settled = await timing.drive(
            createClient({ ...options, outbox })
              .replay(handle)
              .outcome(),
          )
          expect(settled.kind).toBe(admitted === 1 || !isConflictLater ? 'admitted' : 'refused')
          expect(gateway.admissions).toHaveLength(settled.kind === 'admitted' ? 1 : 0)
          if (settled.kind === 'admitted') expect(settled.replayed).toBe(admitted === 1)
          await backgroundWorkStarted()
          expect(await outbox.list()).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is fixed when the call is made: later changes by the caller are not sent', async () => {
    const gateway = createModelGateway([{ arrives: false, answer: 'lost' }, HEALTHY])
    const { client, timing } = connectTo(gateway.fetch)
    const input = { text: 'Hello' }
    const call = client.messages.send('conv_1', { expected_generation: 1, input })
    input.text = 'Goodbye'
    await timing.drive(call)
    const sent = await Promise.all(gateway.requests.map((request) => request.text()))
    expect(sent).toEqual(Array(2).fill('{"expected_generation":1,"input":{"text":"Hello"}}'))
  })
})
