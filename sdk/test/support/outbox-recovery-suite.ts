import { expect, it, vi } from 'vitest'
import type { Outbox } from '../../src/outbox/outbox.ts'
import { all } from './all.ts'
import { backgroundWorkStarted } from './background-work.ts'
import { createManualTiming } from './manual-timing.ts'
import { ADMITTED, advancing, connect, keyOf, LATER, leave } from './outbox-client.ts'
import { createAnsweringFetch, hang, problem, type Reply, unreachable } from './scripted-fetch.ts'
import { handleOf, ORIGIN } from './settings.ts'

/** The recovery of entries that another process left, for every outbox. */
export const describeRecovery = (createStore: () => Promise<() => Outbox>): void => {
  const createOutbox = async (): Promise<Outbox> => (await createStore())()

  it('recovers remaining entries, and deletes those whose known outcome was received [IDEM-05]', async () => {
    const open = await createStore()
    const [newest, oldest, middle] = [
      handleOf('b', 3_000),
      { ...handleOf('a', 1_000), tag: 'first' },
      handleOf('c', 2_000),
    ]
    await leave(open, newest, oldest, middle)
    const outbox = open()
    const taken: string[] = []
    const leftovers: Outbox['leftovers'] = async function* (...args) {
      for await (const leftover of outbox.leftovers(...args)) {
        if (leftover.kind === 'intention') taken.push(leftover.handle.idempotencyKey)
        yield leftover
      }
    }
    // Recording takes a different time for each entry, so the order of the requests is not fixed.
    const replies: Record<string, Reply> = {
      a: ADMITTED,
      b: problem('GENERATION_CONFLICT'),
      c: problem('INTERNAL', LATER),
    }
    const { fetch, requests } = createAnsweringFetch((request) =>
      (replies[request.headers.get('idempotency-key') ?? ''] ?? hang)(request),
    )
    const { client } = connect({ ...outbox, leftovers }, [], { fetch })
    const recoveries = await all(client.recover())
    expect(recoveries.map((recovery) => [keyOf(recovery), recovery.kind]).sort()).toEqual([
      ['a', 'admitted'],
      ['b', 'refused'],
      ['c', 'unknown'],
    ])
    expect(recoveries.find((each) => each.kind === 'admitted')).toMatchObject({ handle: { tag: 'first' } })
    expect(taken).toEqual(['a', 'c', 'b'])
    expect(requests.map(({ headers }) => headers.get('idempotency-key')).sort()).toEqual(['a', 'b', 'c'])
    expect(await requests[0]?.text()).toBe(oldest.body)
    await vi.waitFor(async () => expect(await outbox.list()).toEqual([middle]), { timeout: 30_000 })
  })

  it('yields each outcome as soon as it is known, and keeps its entry until the next outcome is requested', async () => {
    const open = await createStore()
    await leave(open, handleOf('slow', 1_000), handleOf('quick', 2_000))
    const outbox = open()
    // The order of the requests is not fixed.
    const { fetch } = createAnsweringFetch((request) =>
      (request.headers.get('idempotency-key') === 'quick' ? ADMITTED : hang)(request),
    )
    const { client } = connect(outbox, [], { fetch })
    for await (const recovery of client.recover({ signal: AbortSignal.timeout(20_000) })) {
      expect([keyOf(recovery), recovery.kind]).toEqual(['quick', 'admitted'])
      await backgroundWorkStarted()
      expect(await outbox.list()).toHaveLength(2)
      break
    }
    await backgroundWorkStarted()
    expect(await outbox.list()).toHaveLength(2)
  })

  it('does not yield a received outcome to the next recovery, even if the loop is left early', async () => {
    const open = await createStore()
    await leave(open, ...Array.from({ length: 3 }, (_, index) => handleOf(`key-${index}`, index)))
    const outbox = open()
    const { client } = connect(outbox, [ADMITTED, problem('GENERATION_CONFLICT'), ADMITTED])
    const given: string[] = []
    for await (const recovery of client.recover()) {
      given.push(keyOf(recovery))
      if (given.length === 3) break
    }
    // The entry in progress when the loop was left is yielded again.
    expect((await all(connect(outbox, [ADMITTED]).client.recover())).map(keyOf)).toEqual(given.slice(2))
    expect(await all(connect(outbox, []).client.recover())).toEqual([])
  })

  it('has one deadline for all entries while the gateway is unavailable', async () => {
    const open = await createStore()
    await leave(open, ...Array.from({ length: 30 }, (_, index) => handleOf(`key-${index}`, index)))
    const { fetch } = createAnsweringFetch(unreachable('ECONNREFUSED'))
    const { client, timing } = connect(open(), [], { fetch })
    const startedAt = timing.now()
    const recoveries = await advancing(timing, all(client.recover()))
    expect(recoveries.map(({ kind }) => kind)).toEqual(Array(30).fill('unknown'))
    // With a deadline for each entry, this would take 900 seconds. A shared deadline takes 30 seconds, but the clock of
    // this test advances further while a slow disk works.
    expect(timing.now() - startedAt).toBeLessThan(450_000)
  })

  it('does not recover entries that another process is sending, and waits for the renewal of their claims', async () => {
    const open = await createStore()
    const timing = createManualTiming()
    const other = open()
    const recorded = [await other.record(handleOf('a'), timing), await other.record(handleOf('b'), timing)]
    const mine = all(open().leftovers(ORIGIN, timing))
    expect(await advancing(timing, mine, 10)).toEqual([])
    for (const each of recorded) each.release()
  })

  it('recovers the entry of a process that has died, in one of two concurrent recoveries', async () => {
    const open = await createStore()
    const timing = createManualTiming()
    // Without running timers, the claim of this entry is not renewed.
    await open().record(handleOf('a'), { ...createManualTiming(), now: timing.now })
    const both = await advancing(
      timing,
      Promise.all([open(), open()].map((outbox) => all(outbox.leftovers(ORIGIN, timing)))),
    )
    expect(both.flat().map(keyOf)).toEqual(['a'])
  })

  it('does not recover an entry that this process is sending', async () => {
    const outbox = await createOutbox()
    const recorded = await outbox.record(handleOf('a'), createManualTiming())
    expect(await all(outbox.leftovers(ORIGIN, createManualTiming()))).toEqual([])
    recorded.release()
    expect((await all(outbox.leftovers(ORIGIN, createManualTiming()))).map(keyOf)).toEqual(['a'])
  })

  it('does not recover the intentions of another gateway', async () => {
    const open = await createStore()
    const foreign = handleOf('a', 1_000, 'https://other.example.com')
    await leave(open, foreign)
    expect(await all(connect(open(), []).client.recover())).toEqual([])
    expect(await open().list()).toEqual([foreign])
  })

  it('keeps an entry that is too old to be replayed, and reports that its outcome is unknown', async () => {
    const open = await createStore()
    await leave(open, handleOf('a', 1_000))
    const { client, timing, requests } = connect(open(), [])
    timing.advance(604_800_000)
    const [recovery, ...more] = await all(client.recover())
    expect(more).toEqual([])
    expect(recovery).toMatchObject({ kind: 'unknown', error: { cause: { name: 'NotSentError' } } })
    expect(requests).toEqual([])
    expect(await open().list()).toEqual([handleOf('a', 1_000)])
  })
}
