import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/create-client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { NotSentError, UnknownOutcomeError } from '../../src/errors.ts'
import type { Outbox } from '../../src/outbox/outbox.ts'
import { createManualTiming } from './manual-timing.ts'
import { createAnsweringFetch, createScriptedFetch, json, lost, problem, type Reply } from './scripted-fetch.ts'
import { handleOf, ORIGIN } from './settings.ts'

const BODY = { expected_generation: 1, input: { text: 'Größe 🚀' } }
const ADMITTED = json(202, { run_id: 'run_1' })
const LATER = { 'retry-after': '999' }

/** What every outbox does for a client. */
export const describeOutbox = (name: string, createOutbox: () => Promise<Outbox>): void => {
  /** No wait is ever needed: an attempt that may be repeated is told to wait beyond the deadline. */
  const connect = (outbox: Outbox, replies: readonly Reply[], options: ClientOptions = {}) => {
    const { fetch, requests } = createScriptedFetch(...replies)
    const timing = createManualTiming()
    const all = { baseUrl: ORIGIN, apiKey: 'gk_1', subject: 'customer-1', fetch, timing, outbox, ...options }
    return { client: createClient(all), timing, requests }
  }

  describe(`the outbox in ${name}`, () => {
    it('keeps what it is given, oldest first, until it is deleted', async () => {
      const outbox = await createOutbox()
      const handles = [handleOf('b', 3_000), handleOf('a', 1_000), handleOf('c', 2_000)]
      for (const handle of handles) await outbox.put(handle)
      expect(await outbox.list()).toEqual([handles[1], handles[2], handles[0]])
      await outbox.delete(handleOf('c', 2_000))
      expect(await outbox.list()).toEqual([handles[1], handles[0]])
    })

    it('is empty at first, and deletes what is not there without complaint', async () => {
      const outbox = await createOutbox()
      expect(await outbox.list()).toEqual([])
      await outbox.delete(handleOf('a'))
      expect(await outbox.list()).toEqual([])
    })

    it('holds an intention once, however often it is put', async () => {
      const outbox = await createOutbox()
      for (let times = 0; times < 3; times++) await outbox.put(handleOf('a'))
      expect(await outbox.list()).toEqual([handleOf('a')])
    })

    it('tells equal keys of different subjects and gateways apart', async () => {
      const outbox = await createOutbox()
      const handles = [
        handleOf('a', 1_000),
        { ...handleOf('a', 2_000), subject: 'customer-2' },
        handleOf('a', 3_000, 'https://other.example.com'),
      ]
      for (const handle of handles) await outbox.put(handle)
      expect(await outbox.list()).toEqual(handles)
      await outbox.delete({ ...handleOf('a', 2_000), subject: 'customer-2' })
      expect(await outbox.list()).toEqual([handles[0], handles[2]])
    })

    it('has the intention before it is sent, and not any more when it was admitted', async () => {
      const outbox = await createOutbox()
      const seen: unknown[] = []
      const { fetch } = createAnsweringFetch(async (request) => {
        seen.push(await outbox.list())
        return ADMITTED(request)
      })
      const { client } = connect(outbox, [], { fetch })
      await client.messages.send('conv_1', BODY, { idempotencyKey: 'a' })
      expect(seen).toMatchObject([[{ operationId: 'sendMessage', idempotencyKey: 'a', body: JSON.stringify(BODY) }]])
      expect(await outbox.list()).toEqual([])
    })

    it('does not keep what was refused', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('BUSY'), problem('QUEUE_FULL', LATER)])
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'BUSY' })
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'QUEUE_FULL' })
      expect(await outbox.list()).toEqual([])
    })

    it('does not keep what was aborted before it was sent', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [])
      const call = client.messages.send('conv_1', BODY, { signal: AbortSignal.abort() })
      await expect(call).rejects.toBeInstanceOf(NotSentError)
      expect(await outbox.list()).toEqual([])
    })

    it('keeps what may have happened, exactly as the error tells it', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER)])
      const error = await client.messages.send('conv_1', BODY).catch((reason) => reason)
      expect(error).toBeInstanceOf(UnknownOutcomeError)
      expect(await outbox.list()).toEqual([error.handle])
    })

    it('has nothing of reads and of writes without a key', async () => {
      const outbox = await createOutbox()
      const { client } = connect(outbox, [problem('INTERNAL', LATER), problem('INTERNAL', LATER)])
      await client.runs.get('run_1').catch(() => {})
      await client.resources.delete('res_1').outcome()
      expect(await outbox.list()).toEqual([])
    })

    it('recovers what was left, oldest first, and clears what is settled [IDEM-05]', async () => {
      const outbox = await createOutbox()
      const [newest, oldest, middle] = [handleOf('b', 3_000), handleOf('a', 1_000), handleOf('c', 2_000)]
      for (const handle of [newest, oldest, middle]) await outbox.put(handle)
      const { client, requests } = connect(outbox, [
        ADMITTED,
        problem('INTERNAL', LATER),
        problem('GENERATION_CONFLICT'),
      ])
      const recoveries = await client.recover()
      expect(recoveries.map(({ handle, outcome }) => [handle.idempotencyKey, outcome.kind])).toEqual([
        ['a', 'admitted'],
        ['c', 'unknown'],
        ['b', 'refused'],
      ])
      expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['a', 'c', 'b'])
      expect(await requests[0]?.text()).toBe(oldest.body)
      expect(await outbox.list()).toEqual([middle])
    })

    it('leaves the intentions of another gateway alone', async () => {
      const outbox = await createOutbox()
      const foreign = handleOf('a', 1_000, 'https://other.example.com')
      await outbox.put(foreign)
      expect(await connect(outbox, []).client.recover()).toEqual([])
      expect(await outbox.list()).toEqual([foreign])
    })

    it('keeps what is too old to be replayed, and says that its outcome is not known', async () => {
      const outbox = await createOutbox()
      await outbox.put(handleOf('a', 1_000))
      const { client, timing, requests } = connect(outbox, [])
      timing.advance(604_800_000)
      const [recovery, ...more] = await client.recover()
      expect(more).toEqual([])
      expect(recovery?.outcome).toMatchObject({ kind: 'unknown', error: { cause: { name: 'NotSentError' } } })
      expect(requests).toEqual([])
      expect(await outbox.list()).toEqual([handleOf('a', 1_000)])
    })

    it('that cannot record keeps the request from being sent', async () => {
      const outbox: Outbox = { ...(await createOutbox()), put: () => Promise.reject(new Error('disk full')) }
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
      const { client } = connect(
        { ...kept, delete: () => Promise.reject(new Error('disk gone')) },
        [ADMITTED, problem('BUSY')],
        {
          onDecision: (decision) => decisions.push(decision),
        },
      )
      expect(await client.messages.send('conv_1', BODY)).toEqual({ run_id: 'run_1' })
      await expect(client.messages.send('conv_1', BODY)).rejects.toMatchObject({ code: 'BUSY' })
      const told = { kind: 'outbox-not-cleared', operationId: 'sendMessage', error: new Error('disk gone') }
      expect(decisions).toEqual([told, told])
      expect(await kept.list()).toHaveLength(2)
    })

    it('gets the first answer again for what was admitted but not cleared', async () => {
      const outbox = await createOutbox()
      await outbox.put(handleOf('a'))
      const { client } = connect(outbox, [json(202, { run_id: 'run_1' }, { 'idempotency-replayed': 'true' })])
      expect(await client.recover()).toMatchObject([
        { outcome: { kind: 'admitted', replayed: true, data: { run_id: 'run_1' } } },
      ])
      expect(await outbox.list()).toEqual([])
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
      expect(await again.client.recover()).toMatchObject([{ outcome: { kind: 'admitted' } }])
      expect(await outbox.list()).toEqual([])
    })
  })
}
