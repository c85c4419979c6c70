import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'
import { expectRetryAfter } from '../../../kit/server/expectations.ts'
import { closeStream } from '../../../kit/steps/events.ts'
import {
  fillSubject,
  isStream,
  openAtOnce,
  openOrRefusal,
  openWhenAvailable,
  PER_APP,
  PER_SUBJECT,
} from '../../../kit/steps/stream-limits.ts'

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/subject-limit',
    title:
      'a subject can have 4 streams open, both routes counted together; the next one is refused until one is closed',
    rules: ['SSE-31'],
    tags: ['limit'],
    streams: 5,
    run: async (t) => {
      const { admission } = await t.start({ succeed: {} })
      const paths = [`/conversations/${admission.conversation_id}/events`, `/runs/${admission.run_id}/events`]
      const streams = []
      for (const path of [...paths, ...paths]) streams.push(await openWhenAvailable(t, t.me, path))
      for (const path of paths) {
        const answer = await openOrRefusal(t, t.me, path)
        if (isStream(answer)) assert.fail(`stream ${PER_SUBJECT + 1} of a subject was opened at ${path}`)
        expectRetryAfter(answer)
      }
      const [first] = streams
      if (first !== undefined) await closeStream(first)
      await openWhenAvailable(t, t.me, paths[0] ?? '')
    },
  },
  {
    id: 'streams/subject-limit-race',
    title: 'of 12 streams that a subject opens at once exactly 4 are opened',
    rules: ['SSE-31'],
    tags: ['limit', 'race'],
    streams: 12,
    run: async (t) => {
      const path = `/conversations/${(await t.conversation()).conversation_id}/events`
      assert.equal(await openAtOnce(t, path, 12), PER_SUBJECT)
    },
  },
  {
    id: 'streams/subjects-apart',
    title: 'streams of one subject do not count towards the limit of another subject',
    rules: ['SSE-31'],
    tags: ['limit'],
    streams: 6,
    run: async (t) => {
      const other = t.caller({ subject: t.otherSubject() })
      const [own, theirs] = [await t.conversation(), await t.conversation({}, other)]
      await fillSubject(t, `/conversations/${own.conversation_id}/events`)
      await openWhenAvailable(t, other, `/conversations/${theirs.conversation_id}/events`)
    },
  },
  {
    id: 'streams/app-limit',
    title:
      'an application can have 16 streams open, even if many subjects request them at once; other applications are not affected',
    rules: ['SSE-31'],
    needs: ['freshSubjects'],
    tags: ['limit', 'race'],
    alone: 'all',
    streams: 26,
    run: async (t) => {
      const newReader = async () => {
        const by = t.caller({ subject: t.fresh('reader') })
        return { by, path: `/conversations/${(await t.conversation({}, by)).conversation_id}/events` }
      }
      const readers = await Promise.all(Array.from({ length: 6 }, newReader))
      const opened = await Promise.all(
        readers.flatMap(({ by, path }) => Array.from({ length: PER_SUBJECT }, () => openOrRefusal(t, by, path))),
      )
      const streams = opened.filter(isStream)
      assert.ok(
        streams.length <= PER_APP,
        `${streams.length} of 24 simultaneous streams of one application were opened`,
      )
      while (streams.length < PER_APP) {
        const { by, path } = await newReader()
        streams.push(await openWhenAvailable(t, by, path))
      }
      const { by: oneMore, path } = await newReader()
      if (isStream(await openOrRefusal(t, oneMore, path)))
        assert.fail(`stream ${PER_APP + 1} of an application was opened`)
      const second = t.caller({ app: 'second' })
      const foreign = await t.conversation({ endpoint_id: t.config.services.foreign }, second)
      await openWhenAvailable(t, second, `/conversations/${foreign.conversation_id}/events`)
    },
  },
]
