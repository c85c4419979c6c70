import assert from 'node:assert/strict'
import type { Caller } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import type { EventStream } from '../../../kit/server/event-stream.ts'
import {
  isStream,
  openAtOnce,
  openOrRefusal,
  openWhenAvailable,
  PER_SUBJECT,
} from '../../../kit/steps/stream-limits.ts'
import { createTenant, TENANT } from '../../../kit/steps/tenants.ts'

interface Reader {
  readonly caller: Caller
  readonly path: string
}

const reader = async (t: ServerContext, caller: Caller, endpointId: string): Promise<Reader> => {
  const { conversation_id: id } = await t.conversation({ endpoint_id: endpointId }, caller)
  return { caller, path: `/conversations/${id}/events` }
}

/** Opens the stream once streams of earlier checks have released their slots. */
async function expectOpen(t: ServerContext, { caller, path }: Reader, what: string): Promise<EventStream> {
  t.note(what)
  return openWhenAvailable(t, caller, path)
}

/** The specification does not define the refusal of a stream beyond the limit; D-09 decides 429. */
async function expectTooMany({ caller, path }: Reader, what: string): Promise<void> {
  const opened = await caller.tryEvents(path)
  if ('frames' in opened) assert.fail(`${what} was opened`)
  assert.ok(opened.status >= 400 && opened.status !== 500, `${what} was answered with ${opened.status}`)
}

/** Opens `limit` streams, four for each reader, and expects one more to be refused until one of them is closed. */
async function expectLimit(
  t: ServerContext,
  readers: readonly Reader[],
  limit: number,
  oneMore: Reader,
): Promise<void> {
  const streams: EventStream[] = []
  for (let count = 0; count < limit; count += 1) {
    const next = readers[Math.floor(count / 4)]
    assert.ok(next !== undefined)
    streams.push(await expectOpen(t, next, `stream ${count + 1} of ${limit}`))
  }
  await expectTooMany(oneMore, `stream ${limit + 1} of ${limit}`)
  await expectTooMany(oneMore, `stream ${limit + 1} of ${limit}, requested again,`)
  streams[limit - 1]?.close()
  await expectOpen(t, oneMore, 'a stream after another one was closed')
  await expectTooMany(oneMore, `stream ${limit + 1} of ${limit} after one was closed and opened`)
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'limits/four-streams-of-a-subject',
    title:
      'a subject has at most 4 event streams open, over all its conversations and runs; another subject has its own',
    rules: ['LIMIT-16'],
    tags: ['limit'],
    streams: 6,
    run: async (t) => {
      const { main, sameDevice = main, otherDevice = main } = t.config.services
      const { admission } = await t.start({ succeed: { text: 'done' } })
      const ofRun = { caller: t.me, path: `/runs/${admission.run_id}/events` }
      const readers = [ofRun, ...(await Promise.all([main, sameDevice, otherDevice].map((id) => reader(t, t.me, id))))]
      const streams = []
      for (const one of readers)
        streams.push(await expectOpen(t, one, `stream ${streams.length + 1} of 4 of a subject`))
      for (const one of readers) await expectTooMany(one, 'stream 5 of a subject')
      const other = await reader(t, t.caller({ subject: t.otherSubject() }), main)
      await expectOpen(t, other, 'the first stream of another subject')
      streams[0]?.close()
      await expectOpen(t, ofRun, 'a stream after another one was closed')
      await expectTooMany(ofRun, 'stream 5 of a subject, after one was closed and opened,')
    },
  },
  {
    id: 'limits/four-streams-of-a-subject-at-once',
    title: 'of simultaneous openings by a subject exactly 4 succeed',
    rules: ['LIMIT-16'],
    tags: ['limit', 'race'],
    streams: 12,
    run: async (t) => {
      const { path } = await reader(t, t.me, t.config.services.main)
      const opened = await openAtOnce(t, path, 12)
      assert.equal(opened, PER_SUBJECT, `${opened} of 12 simultaneous streams of a subject were opened`)
    },
  },
  {
    id: 'limits/sixteen-streams-of-an-application',
    title: 'an application has at most 16 event streams open, over all its subjects; another application has its own',
    rules: ['LIMIT-15'],
    tags: ['limit'],
    needs: ['freshSubjects'],
    alone: 'all',
    streams: 19,
    run: async (t) => {
      const { main, foreign } = t.config.services
      const second = () => reader(t, t.caller({ app: 'second', subject: t.fresh('reader') }), foreign)
      const readers = await Promise.all([second(), second(), second(), second()])
      await expectLimit(t, readers, 16, await second())
      await expectOpen(t, await reader(t, t.me, main), 'a stream of another application')
    },
  },
  {
    id: 'limits/thirty-two-streams-of-a-device',
    title: 'a device has at most 32 event streams open, over all its applications; another device has its own',
    rules: ['LIMIT-14'],
    tags: ['limit'],
    needs: TENANT,
    alone: 'all',
    streams: 36,
    run: async (t) => {
      const first = await createTenant(t)
      const tenants = [first, await createTenant(t, { besides: first }), await createTenant(t, { besides: first })]
      const readers = await Promise.all(
        tenants.flatMap((tenant) =>
          Array.from({ length: 3 }, () => reader(t, tenant.caller(t.fresh('reader')), tenant.endpointId)),
        ),
      )
      const oneMore = readers.at(-1)
      assert.ok(oneMore !== undefined)
      await expectLimit(t, readers, 32, oneMore)
      const elsewhere = await createTenant(t)
      await expectOpen(t, await reader(t, elsewhere.caller(), elsewhere.endpointId), 'a stream of another device')
    },
  },
  {
    id: 'limits/streams-of-subjects-named-alike',
    title: 'streams of a subject do not count towards the limit of a subject with the same name in another application',
    rules: ['LIMIT-16'],
    tags: ['limit'],
    streams: PER_SUBJECT + 1,
    needs: TENANT,
    run: async (t) => {
      const first = await createTenant(t)
      const second = await createTenant(t, { besides: first })
      const [one, other] = [await first.conversation(), await second.conversation()]
      for (let count = 0; count < PER_SUBJECT; count += 1)
        await openWhenAvailable(t, first.caller(), `/conversations/${one.conversation_id}/events`)
      const opened = await openOrRefusal(t, second.caller(), `/conversations/${other.conversation_id}/events`)
      if (!isStream(opened)) assert.fail(`the other application is refused with ${opened.status} ${opened.text}`)
    },
  },
]
