import assert from 'node:assert/strict'
import { streamOf } from '../../../kit/server/caller.ts'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal, expectStatus } from '../../../kit/server/expectations.ts'
import { closeStream, refusedStream } from '../../../kit/steps/events.ts'
import { readSnapshot } from '../../../kit/steps/snapshots.ts'

/** The stream routes of a conversation and of its run, which has ended, so that no further events come. */
async function bothRoutes(t: ServerContext): Promise<{ readonly paths: readonly string[]; readonly newest: number }> {
  const { admission } = await t.start({ delta: 'one' }, { succeed: {} })
  await t.runEnded(admission.run_id)
  const { watermark } = await readSnapshot(t, admission.conversation_id)
  return {
    paths: [`/conversations/${admission.conversation_id}/events`, `/runs/${admission.run_id}/events`],
    newest: watermark,
  }
}

const EXCLUDING = [
  'application/json',
  'text/html, application/xhtml+xml',
  'text/event-stream;q=0',
  'text/event-stream; q=0, */*',
  'text/*;q=0, */*;q=0.5',
  'application/*',
  'text/event-stream-x',
]

const INCLUDING = [
  'text/event-stream',
  'TEXT/Event-Stream',
  '*/*',
  'text/*',
  'application/json, text/event-stream;q=0.1',
  'text/*;q=0, text/event-stream',
]

export const checks: readonly ServerCheck[] = [
  {
    id: 'streams/answers-with-an-event-stream',
    title: 'a reader that accepts text/event-stream gets an event stream of the conversation',
    rules: ['SSE-01'],
    streams: 1,
    run: async (t) => {
      const { admission } = await t.start({ delta: 'one' }, { succeed: {} })
      const stream = await t.me.events(admission.conversation_id, { after: admission.event_cursor })
      assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\b/i)
      await stream.event('run.completed', ({ run_id, type }) => run_id === admission.run_id && type === 'run.completed')
    },
  },
  {
    id: 'streams/accept-that-includes',
    title: 'every Accept that includes text/event-stream gets the stream, on both routes',
    rules: ['SSE-24'],
    streams: 1,
    run: async (t) => {
      const { paths } = await bothRoutes(t)
      for (const path of paths)
        for (const accept of INCLUDING) {
          t.note(`Accept: ${accept}`)
          await closeStream(streamOf(await t.me.tryEvents(path, { headers: { accept } })))
        }
    },
  },
  {
    id: 'streams/accept-that-excludes',
    title: 'an Accept that excludes text/event-stream is refused with 406 on both routes',
    rules: ['SSE-24'],
    run: async (t) => {
      const { paths } = await bothRoutes(t)
      for (const path of paths)
        for (const accept of EXCLUDING)
          expectRefusal(await refusedStream(t.me, path, { headers: { accept } }), 406, 'NOT_ACCEPTABLE')
    },
  },
  {
    id: 'streams/no-head',
    title: 'HEAD on an event stream is answered with 405 on both routes',
    rules: ['SSE-35'],
    run: async (t) => {
      const { paths } = await bothRoutes(t)
      for (const path of paths)
        expectStatus(await t.me.request('HEAD', path, { headers: { accept: 'text/event-stream' } }), 405)
    },
  },
  {
    id: 'streams/headers-that-keep-it-flowing',
    title: 'a stream has Cache-Control: no-cache, no-transform and X-Accel-Buffering: no on both routes',
    rules: ['SSE-28'],
    streams: 1,
    run: async (t) => {
      for (const path of (await bothRoutes(t)).paths) {
        const stream = streamOf(await t.me.tryEvents(path))
        const directives = (stream.headers['cache-control'] ?? '').split(',').map((one) => one.trim().toLowerCase())
        assert.deepEqual(
          directives.sort(),
          ['no-cache', 'no-transform'],
          `expected Cache-Control: no-cache, no-transform from ${path}, got ${stream.headers['cache-control']}`,
        )
        assert.equal(
          stream.headers['x-accel-buffering'],
          'no',
          `expected X-Accel-Buffering: no from ${path}, got ${stream.headers['x-accel-buffering']}`,
        )
        await closeStream(stream)
      }
    },
  },
  {
    id: 'streams/never-compressed',
    title: 'a stream is never compressed, for any Accept-Encoding, on both routes',
    rules: ['SSE-33'],
    streams: 1,
    run: async (t) => {
      for (const path of (await bothRoutes(t)).paths)
        for (const accepted of ['gzip', 'deflate', 'br', 'zstd', 'gzip, deflate, br, zstd', '*']) {
          const stream = streamOf(await t.me.tryEvents(path, { after: 0, headers: { 'accept-encoding': accepted } }))
          assert.match(
            stream.headers['content-encoding'] ?? 'identity',
            /^identity$/i,
            `a request with Accept-Encoding: ${accepted} got Content-Encoding: ${stream.headers['content-encoding']}`,
          )
          await stream.until(
            `an event in plain text, requested with Accept-Encoding: ${accepted}`,
            ({ events }) => events.length > 0,
          )
          await closeStream(stream)
        }
    },
  },
  {
    id: 'streams/first-bytes-at-once',
    title: 'a stream sends its first bytes at once even without an event, on both routes',
    rules: ['SSE-34'],
    streams: 2,
    run: async (t) => {
      const { paths, newest } = await bothRoutes(t)
      const empty = await t.conversation()
      for (const [path, after] of [
        ...paths.map((one) => [one, newest] as const),
        [`/conversations/${empty.conversation_id}/events`, 0] as const,
      ]) {
        const stream = streamOf(await t.me.tryEvents(path, { after }))
        // A keepalive would also be bytes, but only after 15 seconds.
        await stream.until('a first byte', ({ text }) => text().length > 0, { by: 'frame' })
        assert.doesNotMatch(stream.text(), /: ping/, `${path} sent nothing before its first keepalive`)
        assert.equal(stream.events.length, 0)
        await closeStream(stream)
      }
    },
  },
  {
    id: 'streams/begins-with-retry',
    title: 'a stream begins with retry: 1000 and sends it only once, on both routes',
    rules: ['SSE-25'],
    streams: 1,
    run: async (t) => {
      const { paths, newest } = await bothRoutes(t)
      for (const path of paths)
        for (const after of [undefined, 0, newest]) {
          const stream = streamOf(await t.me.tryEvents(path, after === undefined ? {} : { after }))
          await stream.until('the first frame', ({ frames }) => frames.length > 0, { by: 'frame' })
          if (after !== newest)
            await stream.until('all events', ({ events }) => events.at(-1)?.type === 'run.completed')
          assert.match(
            stream.text(),
            /^retry: 1000(\r\n|\n|\r)/,
            `the first line of ${path} must be retry: 1000, got ${stream.text().slice(0, 40)}`,
          )
          assert.equal(
            stream.frames.filter(({ retry }) => retry !== undefined).length,
            1,
            `expected one line with retry from ${path}`,
          )
          await closeStream(stream)
        }
    },
  },
]
