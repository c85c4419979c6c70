import { describe, expect, it, vi } from 'vitest'
import { NotSentError, UnknownOutcomeError } from '../../src/errors.ts'
import type { Outbox } from '../../src/outbox/outbox.ts'
import { all } from './all.ts'
import { backgroundWorkStarted } from './background-work.ts'
import { createManualTiming } from './manual-timing.ts'
import { ADMITTED, BODY, connect, isEmpty, LATER, leave } from './outbox-client.ts'
import { describeRecovery } from './outbox-recovery-suite.ts'
import { createAnsweringFetch, json, lost, problem } from './scripted-fetch.ts'
import { handleOf, ORIGIN } from './settings.ts'

/**
 * The tests that every outbox must pass.
 * @param createStore Creates a store, and returns a function that opens it as another process does.
 */
export const describeOutbox = (name: string, createStore: () => Promise<() => Outbox>): void => {
  const createOutbox = async (): Promise<Outbox> => (await createStore())()
  describe(`the outbox in ${name}`, () => {
    it('keeps recorded intentions, oldest first, until they are deleted', async () => {
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

    it('is empty at first, and deleting an unknown entry succeeds', async () => {
      const outbox = await createOutbox()
      expect(await outbox.list()).toEqual([])
      await outbox.delete(handleOf('a'))
      expect(await all(outbox.leftovers(ORIGIN, createManualTiming()))).toEqual([])
    })

    it('contains an intention once, however often it is recorded', async () => {
      const outbox = await createOutbox()
      for (let times = 0; times < 3; times++) (await outbox.record(handleOf('a'), createManualTiming())).release()
      expect(await outbox.list()).toEqual([handleOf('a')])
    })

    it('distinguishes equal keys of different subjects and gateways', async () => {
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

    it('contains the intention with its tag from before it is sent until the program has received the answer', async () => {
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

    it('keeps an entry until the program has received its answer, by await, withResponse(), outcome() or catch()', async () => {
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
        await backgroundWorkStarted()
        expect(await outbox.list()).toHaveLength(1)
        await look(sent)
        await isEmpty(outbox)
      }
    })

    it('deletes an entry only after the code that awaits the answer has resumed', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [ADMITTED])
      await client.messages.send('conv_1', BODY)
      await Promise.resolve()
      // If the process died here, or before its next wait, it would lose the answer.
      const kept = outbox.list()
      expect(await kept).toHaveLength(1)
      await isEmpty(outbox)
    })

    it('does not keep a refused intention', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('BUSY'), problem('QUEUE_FULL', LATER)])
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'BUSY' })
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'QUEUE_FULL' })
      await isEmpty(outbox)
    })

    it('does not keep an intention that was aborted before it was sent', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [])
      const call = client.messages.send('conv_1', BODY, { signal: AbortSignal.abort() })
      await expect(call).rejects.toBeInstanceOf(NotSentError)
      await isEmpty(outbox)
    })

    it('keeps an intention of unknown outcome, equal to the handle of the error', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER)])
      const error = await client.messages.send('conv_1', BODY).catch((reason) => reason)
      expect(error).toBeInstanceOf(UnknownOutcomeError)
      await backgroundWorkStarted()
      expect(await outbox.list()).toEqual([error.handle])
    })

    it('does not contain reads, or writes without a key', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER), problem('INTERNAL', LATER)])
      await client.runs.get('run_1').catch(() => {})
      await client.resources.delete('res_1').outcome()
      expect(await outbox.list()).toEqual([])
    })

    it('deletes an entry completely while its claim is being renewed', async () => {
      const outbox = await createOutbox()
      const timing = createManualTiming()
      const recorded = await outbox.record(handleOf('a'), timing)
      timing.advance(1_500)
      await recorded.forget()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect([await outbox.list(), timing.pending]).toEqual([[], 0])
    })

    it('prevents a request from being sent if it cannot record the intention', async () => {
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

    it('does not fail the call if it cannot delete the entry, and reports this', async () => {
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
      await backgroundWorkStarted()
      const decision = { kind: 'outbox-not-cleared', operationId: 'sendMessage', error: new Error('disk gone') }
      expect(decisions).toEqual([decision, decision])
      expect(await kept.list()).toHaveLength(2)
    })

    it('gets the first answer again when an admitted entry that was not deleted is replayed or recovered', async () => {
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

    it('keeps an intention whose answer was lost until its outcome is known', async () => {
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

    describeRecovery(createStore)
  })
}
