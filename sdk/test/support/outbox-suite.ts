import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../../src/client/create-client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Recovery } from '../../src/client/recover.ts'
import { NotSentError, UnknownOutcomeError } from '../../src/errors.ts'
import type { Leftover, Outbox } from '../../src/outbox/outbox.ts'
import type { ReplayHandle } from '../../src/transport/replay-handle.ts'
import { haveTaken } from './have-taken.ts'
import { createManualTiming, type ManualTiming } from './manual-timing.ts'
import { createAnsweringFetch, createScriptedFetch, hang, json, lost, problem, type Reply } from './scripted-fetch.ts'
import { handleOf, ORIGIN } from './settings.ts'

const BODY = { expected_generation: 1, input: { text: 'Größe 🚀' } }
const ADMITTED = json(202, { run_id: 'run_1' })
const LATER = { 'retry-after': '999' }
const AN_HOUR_MS = 3_600_000

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
const keyOf = (item: Leftover | Recovery): string => ('handle' in item ? item.handle.idempotencyKey : item.kind)
const isEmpty = (outbox: Outbox): Promise<void> =>
  vi.waitFor(async () => expect(await outbox.list()).toEqual([]), { timeout: 30_000 })

/**
 * What every outbox does for a client.
 * @param createStore Makes a store, and gives what opens it as one more process.
 */
export const describeOutbox = (name: string, createStore: () => Promise<() => Outbox>): void => {
  const createOutbox = async (): Promise<Outbox> => (await createStore())()
  /** No wait is ever needed: an attempt that may be repeated is told to wait beyond the deadline. */
  const connect = (outbox: Outbox, replies: readonly Reply[], options: ClientOptions = {}) => {
    const { fetch, requests } = createScriptedFetch(...replies)
    const timing = createManualTiming()
    const all = { baseUrl: ORIGIN, apiKey: 'gk_1', subject: 'customer-1', fetch, timing, outbox, ...options }
    return { client: createClient(all), timing, requests }
  }
  /** As a process that died left them. */
  const leave = async (open: () => Outbox, ...handles: readonly ReplayHandle[]): Promise<void> => {
    const timing = createManualTiming()
    timing.advance(-AN_HOUR_MS)
    for (const handle of handles) await open().record(handle, timing)
  }

  describe(`the outbox in ${name}`, () => {
    it('keeps what is recorded, oldest first, until it is forgotten', async () => {
      const outbox = await createOutbox()
      const timing = createManualTiming()
      const handles = [handleOf('b', 3_000), handleOf('a', 1_000), handleOf('c', 2_000)]
      for (const handle of handles.slice(0, 2)) await outbox.record(handle, timing)
      const newest = await outbox.record(handleOf('c', 2_000), timing)
      expect(await outbox.list()).toEqual([handles[1], handles[2], handles[0]])
      await newest.forget()
      expect(await outbox.list()).toEqual([handles[1], handles[0]])
      await outbox.delete(handleOf('a', 1_000))
      expect(await outbox.list()).toEqual([handles[0]])
    })

    it('is empty at first, and deletes what is not there without complaint', async () => {
      const outbox = await createOutbox()
      expect(await outbox.list()).toEqual([])
      await outbox.delete(handleOf('a'))
      expect(await all(outbox.leftovers(ORIGIN, createManualTiming()))).toEqual([])
    })

    it('holds an intention once, however often it is recorded', async () => {
      const outbox = await createOutbox()
      for (let times = 0; times < 3; times++) (await outbox.record(handleOf('a'), createManualTiming())).release()
      expect(await outbox.list()).toEqual([handleOf('a')])
    })

    it('tells equal keys of different subjects and gateways apart', async () => {
      const outbox = await createOutbox()
      const handles = [
        handleOf('a', 1_000),
        { ...handleOf('a', 2_000), subject: 'customer-2' },
        handleOf('a', 3_000, 'https://other.example.com'),
      ]
      for (const handle of handles) await outbox.record(handle, createManualTiming())
      expect(await outbox.list()).toEqual(handles)
      await outbox.delete({ ...handleOf('a', 2_000), subject: 'customer-2' })
      expect(await outbox.list()).toEqual([handles[0], handles[2]])
    })

    it('has the intention before it is sent, with the program’s own name for it, and not any more when the program went on', async () => {
      const outbox = await createOutbox()
      const seen: unknown[] = []
      const { fetch } = createAnsweringFetch(async (request) => {
        seen.push(await outbox.list())
        return ADMITTED(request)
      })
      const { client } = connect(outbox, [], { fetch })
      await client.messages.send('conv_1', BODY, { idempotencyKey: 'a', tag: 'order-4711' })
      expect(seen).toMatchObject([
        [{ operationId: 'sendMessage', idempotencyKey: 'a', body: JSON.stringify(BODY), tag: 'order-4711' }],
      ])
      await isEmpty(outbox)
    })

    it('keeps an answer that the program has not had, however it looks at it then', async () => {
      const outbox = await createOutbox()
      const looks = [
        async (sent: PromiseLike<unknown>) => sent,
        (sent: { withResponse(): Promise<unknown> }) => sent.withResponse(),
        (sent: { outcome(): Promise<unknown> }) => sent.outcome(),
        (sent: { catch(): Promise<unknown> }) => sent.catch(),
      ] as const
      for (const look of looks) {
        const { client, requests } = connect(outbox, [ADMITTED])
        const sent = client.messages.send('conv_1', BODY)
        await vi.waitFor(() => expect(requests).toHaveLength(1))
        await haveTaken()
        expect(await outbox.list()).toHaveLength(1)
        await look(sent)
        await isEmpty(outbox)
      }
    })

    it('forgets an answer only after what waits for it has gone on', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [ADMITTED])
      await client.messages.send('conv_1', BODY)
      await Promise.resolve()
      // Everything up to here, and what follows without waiting for anything else, would be lost with the process.
      const kept = outbox.list()
      expect(await kept).toHaveLength(1)
      await isEmpty(outbox)
    })

    it('does not keep what was refused', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('BUSY'), problem('QUEUE_FULL', LATER)])
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'BUSY' })
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'QUEUE_FULL' })
      await isEmpty(outbox)
    })

    it('does not keep what was aborted before it was sent', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [])
      const call = client.messages.send('conv_1', BODY, { signal: AbortSignal.abort() })
      await expect(call).rejects.toBeInstanceOf(NotSentError)
      await isEmpty(outbox)
    })

    it('keeps what may have happened, exactly as the error tells it', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER)])
      const error = await client.messages.send('conv_1', BODY).catch((reason) => reason)
      expect(error).toBeInstanceOf(UnknownOutcomeError)
      await haveTaken()
      expect(await outbox.list()).toEqual([error.handle])
    })

    it('has nothing of reads and of writes without a key', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER), problem('INTERNAL', LATER)])
      await client.runs.get('run_1').catch(() => {})
      await client.resources.delete('res_1').outcome()
      expect(await outbox.list()).toEqual([])
    })

    it('recovers what was left, and clears what is settled and was taken [IDEM-05]', async () => {
      const open = await createStore()
      const [newest, oldest, middle] = [
        handleOf('b', 3_000),
        { ...handleOf('a', 1_000), tag: 'first' },
        handleOf('c', 2_000),
      ]
      await leave(open, newest, oldest, middle)
      const outbox = open()
      const { client, requests } = connect(outbox, [
        ADMITTED,
        problem('INTERNAL', LATER),
        problem('GENERATION_CONFLICT'),
      ])
      const recoveries = await all(client.recover())
      expect(recoveries.map((recovery) => [keyOf(recovery), recovery.kind]).sort()).toEqual([
        ['a', 'admitted'],
        ['b', 'refused'],
        ['c', 'unknown'],
      ])
      expect(recoveries.find((each) => each.kind === 'admitted')).toMatchObject({ handle: { tag: 'first' } })
      expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['a', 'c', 'b'])
      expect(await requests[0]?.text()).toBe(oldest.body)
      await vi.waitFor(async () => expect(await outbox.list()).toEqual([middle]))
    })

    it('gives each end as soon as it is known, and keeps it until the next one is asked for', async () => {
      const open = await createStore()
      await leave(open, handleOf('slow', 1_000), handleOf('quick', 2_000))
      const outbox = open()
      const { client } = connect(outbox, [hang, ADMITTED])
      for await (const recovery of client.recover({ signal: AbortSignal.timeout(20_000) })) {
        expect([keyOf(recovery), recovery.kind]).toEqual(['quick', 'admitted'])
        await haveTaken()
        expect(await outbox.list()).toHaveLength(2)
        break
      }
      await haveTaken()
      expect(await outbox.list()).toHaveLength(2)
    })

    it('has one deadline for all while the gateway is away', async () => {
      const open = await createStore()
      await leave(open, ...Array.from({ length: 30 }, (_, index) => handleOf(`key-${index}`, index)))
      const away: Reply = () => {
        const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
        throw new TypeError('fetch failed', { cause })
      }
      const { client, timing } = connect(open(), [], { fetch: createAnsweringFetch(away).fetch })
      const startedAt = timing.now()
      const recoveries = await advancing(timing, all(client.recover()))
      expect(recoveries.map(({ kind }) => kind)).toEqual(Array(30).fill('unknown'))
      expect(timing.now() - startedAt).toBeLessThan(60_000)
    })

    it('leaves alone what another process is sending, and waits for a sign of it', async () => {
      const open = await createStore()
      const timing = createManualTiming()
      const other = await open().record(handleOf('a'), timing)
      const mine = all(open().leftovers(ORIGIN, timing))
      expect(await advancing(timing, mine)).toEqual([])
      other.release()
    })

    it('takes over what a process held that has died meanwhile, and only one gets it', async () => {
      const open = await createStore()
      const timing = createManualTiming()
      // Nothing renews what was recorded by a clock that stands.
      await open().record(handleOf('a'), { ...createManualTiming(), now: timing.now })
      const both = await advancing(
        timing,
        Promise.all([open(), open()].map((outbox) => all(outbox.leftovers(ORIGIN, timing)))),
      )
      expect(both.flat().map(keyOf)).toEqual(['a'])
    })

    it('has nothing left of what is forgotten while its hold is being renewed', async () => {
      const outbox = await createOutbox()
      const timing = createManualTiming()
      const recorded = await outbox.record(handleOf('a'), timing)
      timing.advance(1_500)
      await recorded.forget()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect([await outbox.list(), timing.pending]).toEqual([[], 0])
    })

    it('leaves alone what this process is sending itself', async () => {
      const outbox = await createOutbox()
      const recorded = await outbox.record(handleOf('a'), createManualTiming())
      expect(await all(outbox.leftovers(ORIGIN, createManualTiming()))).toEqual([])
      recorded.release()
      expect((await all(outbox.leftovers(ORIGIN, createManualTiming()))).map(keyOf)).toEqual(['a'])
    })

    it('leaves the intentions of another gateway alone', async () => {
      const open = await createStore()
      const foreign = handleOf('a', 1_000, 'https://other.example.com')
      await leave(open, foreign)
      expect(await all(connect(open(), []).client.recover())).toEqual([])
      expect(await open().list()).toEqual([foreign])
    })

    it('keeps what is too old to be replayed, and says that its outcome is not known', async () => {
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

    it('that cannot record keeps the request from being sent', async () => {
      const outbox: Outbox = { ...(await createOutbox()), record: () => Promise.reject(new Error('disk full')) }
      const { client, requests } = connect(outbox, [])
      expect(await client.messages.send('conv_1', BODY).outcome()).toMatchObject({
        kind: 'refused',
        error: { name: 'NotSentError', cause: new Error('disk full') },
      })
      const replay = await client.replay(handleOf('a')).outcome()
      expect(replay).toMatchObject({ kind: 'unknown', error: { cause: { name: 'NotSentError' } } })
      expect(requests).toEqual([])
    })

    it('that cannot clear does not fail the call, and says so', async () => {
      const kept = await createOutbox()
      const decisions: unknown[] = []
      const record: Outbox['record'] = async (...input) => ({
        ...(await kept.record(...input)),
        forget: () => Promise.reject(new Error('disk gone')),
      })
      const { client } = connect({ ...kept, record }, [ADMITTED, problem('BUSY')], {
        onDecision: (decision) => decisions.push(decision),
      })
      expect(await client.messages.send('conv_1', BODY)).toEqual({ run_id: 'run_1' })
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'BUSY' })
      await haveTaken()
      const told = { kind: 'outbox-not-cleared', operationId: 'sendMessage', error: new Error('disk gone') }
      expect(decisions).toEqual([told, told])
      expect(await kept.list()).toHaveLength(2)
    })

    it('gets the first answer again for what was admitted but not cleared, also by a replay', async () => {
      const open = await createStore()
      await leave(open, handleOf('a'), handleOf('b'))
      const again = json(202, { run_id: 'run_1' }, { 'idempotency-replayed': 'true' })
      const { client } = connect(open(), [again])
      expect(await client.replay(handleOf('a')).outcome()).toMatchObject({ kind: 'admitted', replayed: true })
      await vi.waitFor(async () => expect(await open().list()).toEqual([handleOf('b')]))
      const recoveries = await all(connect(open(), [again]).client.recover())
      expect(recoveries).toMatchObject([{ kind: 'admitted', replayed: true, data: { run_id: 'run_1' } }])
      await isEmpty(open())
    })

    it('keeps what was lost on the way until its outcome is known', async () => {
      const outbox = await createOutbox()
      const caller = new AbortController()
      const { client } = connect(outbox, [
        (request) => {
          caller.abort()
          return lost(request)
        },
      ])
      expect(await client.messages.send('conv_1', BODY, { signal: caller.signal }).outcome()).toMatchObject({
        kind: 'unknown',
      })
      expect(await outbox.list()).toHaveLength(1)
      const again = connect(outbox, [ADMITTED])
      expect(await all(again.client.recover())).toMatchObject([{ kind: 'admitted' }])
      await isEmpty(outbox)
    })
  })
}

/** Lets time pass until the promise is settled, and stores do their work in between. */
const advancing = async <T>(timing: ManualTiming, promise: Promise<T>): Promise<T> => {
  let isSettled = false
  const done = (): void => {
    isSettled = true
  }
  promise.then(done, done)
  while (!isSettled) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    timing.advance(100)
  }
  return promise
}
