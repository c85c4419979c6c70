import fc from 'fast-check'
import { expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { anyStep } from '../../test/support/any-step.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { type ModelConversation, type ModelStep, playConversation } from '../../test/support/model-conversation.ts'
import { ApiError, CursorExpiredError } from '../errors.ts'
import type { EventEnvelope, Snapshot } from '../generated/gateway.ts'
import type { Decision } from '../transport/decision-report.ts'
import { fromSnapshot } from './conversation-view.ts'
import { type WatchPort, watch } from './watch.ts'

const expired = new CursorExpiredError({
  code: 'CURSOR_EXPIRED',
  status: 410,
  detail: 'gone',
  requestId: 'req_1',
  retryAfterMs: null,
  problem: null,
  response: new Response(),
})

const noFreeStream = new ApiError({
  code: 'STREAM_LIMIT',
  status: 429,
  detail: 'no stream is free',
  requestId: 'req_2',
  retryAfterMs: 1000,
  problem: null,
  response: new Response(),
})

const lastSnapshot = ({ snapshots }: ModelConversation): Snapshot => {
  const snapshot = [...snapshots.values()].at(-1)
  if (snapshot === undefined) throw new Error('nothing was committed')
  return snapshot
}

interface PlayedPort extends WatchPort {
  readonly decisions: Decision[]
  readonly queries: { limit: number; before?: number }[]
  readonly reads: { snapshots: number }
}

interface PlayedPortOptions {
  /** For each read of the snapshot, the number of commits that are added just before it. */
  readonly advances?: readonly number[]
  /**
   * After how many events each stream reports an expired position; the stream after the last one continues to the end.
   */
  readonly expiries?: readonly number[]
  readonly pageSize?: number
}

/** A finished conversation, watched as if it were still in progress. */
const createPlayedPort = (model: ModelConversation, options: PlayedPortOptions = {}): PlayedPort => {
  const { advances = [], expiries = [], pageSize = 100 } = options
  const commits = [...model.snapshots.values()]
  const decisions: Decision[] = []
  const queries: PlayedPort['queries'] = []
  const reads = { snapshots: 0 }
  let shown = 0
  let opened = 0
  return {
    decisions,
    queries,
    reads,
    report: (decision) => decisions.push(decision),
    timing: createManualTiming(),
    readSnapshot: async () => {
      shown = Math.min(commits.length - 1, shown + (advances[reads.snapshots++] ?? 0))
      return structuredClone(commits[shown] ?? lastSnapshot(model))
    },
    readMessages: async (query) => {
      queries.push(query)
      const older = model.history.filter(({ cursor }) => cursor < (query.before ?? Number.POSITIVE_INFINITY))
      return older.slice(-Math.min(query.limit, pageSize))
    },
    events: async function* (after) {
      const expiresAfter = expiries[opened++] ?? Number.POSITIVE_INFINITY
      let sent = 0
      for (const event of model.log.filter(({ seq }) => seq > after)) {
        if (sent++ >= expiresAfter) throw expired
        // A later snapshot is never older than the streamed events.
        while ((commits[shown]?.watermark ?? 0) < event.seq) shown += 1
        yield event
      }
      if (expiresAfter < Number.POSITIVE_INFINITY) throw expired
    },
  }
}

const ADMISSIONS: readonly ModelStep[] = [{ kind: 'admit' }, { kind: 'admit' }, { kind: 'admit' }]

it('ends in equal states however often it was reloaded, and wherever it began', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 40 }),
      fc.array(fc.nat(10), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, advances, expiries, pageSize) => {
        const model = playConversation(steps)
        // A stream that always expires without an event has its own test.
        const bounded = expiries.slice(0, 2)
        const items = await all(watch(createPlayedPort(model, { advances, expiries: bounded, pageSize })))
        expect(items.at(-1)?.state).toEqual(fromSnapshot(lastSnapshot(model)))
        expect(items.filter(({ kind }) => kind === 'snapshot')).toEqual(items.slice(0, 1))
        expect(items.filter(({ kind }) => kind === 'gap')).toHaveLength(bounded.length)
      },
    ),
    { numRuns: 300 },
  )
})

it('begins with the snapshot, continues after its watermark, and marks resets', async () => {
  const model = playConversation([{ kind: 'admit' }, { kind: 'annotate' }, { kind: 'reset', pick: 0 }])
  const items = await all(watch(createPlayedPort(model, { advances: [1] })))
  expect(items.map((item) => (item.kind === 'event' ? item.event.type : item.kind))).toEqual([
    'snapshot',
    'conversation.annotated',
    'run.cancelled',
    'generation',
  ])
  expect(items.map(({ state }) => state.position)).toEqual([1, 2, 3, 4])
  expect(items.at(-1)).toMatchObject({ generation: 2, previous_generation: 1 })
})

it('reports a gap, reads the snapshot once more, and continues after it', async () => {
  const port = createPlayedPort(playConversation(ADMISSIONS), { advances: [0, 1], expiries: [1] })
  const items = await all(watch(port))
  expect(items.map(({ kind, state }) => [kind, state.position])).toEqual([
    ['snapshot', 0],
    ['event', 1],
    ['gap', 2],
    ['event', 3],
  ])
  expect(items[2]).toMatchObject({ from: 1, to: 2 })
  expect(port.decisions).toEqual([{ kind: 'reload', operationId: 'streamConversationEvents', position: 1 }])
  expect(port.reads.snapshots).toBe(2)
})

it('does not reload for ever when every position is expired at once', async () => {
  const port = createPlayedPort(playConversation(ADMISSIONS), { expiries: Array(9).fill(0) })
  await expect(all(watch(port))).rejects.toBe(expired)
  expect(port.reads.snapshots).toBe(3)
})

it('reloads as often after waiting for a free stream as before', async () => {
  const timing = createManualTiming()
  const played = createPlayedPort(playConversation(ADMISSIONS))
  const failures: unknown[] = [noFreeStream, expired, expired]
  const port: WatchPort = {
    ...played,
    timing,
    events: async function* (...args) {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      yield* played.events(...args)
    },
  }
  const items = await timing.drive(all(watch(port)))
  expect(items.filter(({ kind }) => kind === 'gap')).toHaveLength(2)
  expect(played.decisions.map(({ kind }) => kind)).toEqual(['poll', 'reload', 'reload'])
})

it('tolerates any number of gaps, as long as events arrive between them', async () => {
  const port = createPlayedPort(playConversation(Array<ModelStep>(6).fill({ kind: 'admit' })), {
    expiries: [1, 1, 1, 1, 1],
  })
  const items = await all(watch(port))
  expect(items.filter(({ kind }) => kind === 'gap')).toHaveLength(5)
})

it('reads the history once for the inputs of many runs, page by page', async () => {
  const port = createPlayedPort(playConversation(ADMISSIONS), { pageSize: 2 })
  const items = await all(watch(port))
  expect(items.at(-1)?.state.messages.map(({ message_id }) => message_id)).toEqual(['msg_1', 'msg_2', 'msg_3'])
  expect(port.queries).toEqual([{ limit: 100 }, { limit: 100, before: 2 }])
})

it('continues without an input that the history no longer has', async () => {
  const port = createPlayedPort(playConversation([{ kind: 'admit' }]))
  const items = await all(watch({ ...port, readMessages: async () => [] }))
  expect(items.at(-1)?.state).toMatchObject({ messages: [], runs: [{ run_id: 'run_1' }] })
})

it('reads no further back than a view goes, even when pages repeat', async () => {
  const model = playConversation(ADMISSIONS)
  const port = createPlayedPort(model)
  let pages = 0
  const readMessages: WatchPort['readMessages'] = async () => {
    pages += 1
    return model.history.slice(1).flatMap((message) => Array(50).fill(message))
  }
  await all(watch({ ...port, events: () => eventsOf(model.log.slice(0, 1)), readMessages }))
  expect(pages).toBe(2)
})

async function* eventsOf(events: readonly EventEnvelope[]): AsyncGenerator<EventEnvelope, void, undefined> {
  yield* events
}

it('closes the stream when the loop is left', async () => {
  const port = createPlayedPort(playConversation(ADMISSIONS))
  let isClosed = false
  const events: WatchPort['events'] = async function* (after, signal) {
    try {
      yield* port.events(after, signal, false)
    } finally {
      isClosed = true
    }
  }
  for await (const { kind } of watch({ ...port, events })) if (kind === 'event') break
  expect(isClosed).toBe(true)
})

it('rejects with the reason of the signal', async () => {
  const caller = new AbortController()
  const port = createPlayedPort(playConversation(ADMISSIONS))
  const events: WatchPort['events'] = (_, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
  })
  const items = watch({ ...port, events }, { signal: caller.signal })[Symbol.asyncIterator]()
  await items.next()
  const pending = items.next()
  caller.abort(new Error('enough'))
  await expect(pending).rejects.toThrow('enough')
})
