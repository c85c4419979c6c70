import { Readable } from 'node:stream'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { describe, expect, it, vi } from 'vitest'
import { settle } from '../../../test/support/manual-timing.ts'
import { connectTo } from '../../../test/support/scripted-client.ts'
import { createAnsweringFetch, json, partly } from '../../../test/support/scripted-fetch.ts'
import { delta } from '../../../test/support/speaking-gateway.ts'
import { toUIMessageStream } from '../../ai-sdk/index.ts'
import type { Reply } from './reply.ts'

const PIECES = 9

/** A run that streams all its pieces in one chunk and then stays silent. */
const connect = () => {
  const text = Array.from({ length: PIECES }, (_, index) => delta(index + 1, 'msg_2', 'x'))
    .map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
  const { fetch, requests } = createAnsweringFetch((request) =>
    request.url.endsWith('/events')
      ? partly(200, text, 'hangs', { 'content-type': 'text/event-stream' })(request)
      : json(200, { run_id: 'run_1', conversation_id: 'conv_1', state: 'running', result: null })(request),
  )
  return { ...connectTo(fetch), requests }
}

const streams: [string, (reply: Reply) => Promise<ReadableStream<unknown> | null> | ReadableStream<unknown>][] = [
  ['toResponse()', async (reply) => (await reply.toResponse()).body],
  ['toReadableStream()', (reply) => reply.toReadableStream()],
  ['toUIMessageStream()', (reply) => toUIMessageStream(reply)],
  ['ReadableStream.from(reply)', (reply) => NodeStream.from(reply) as ReadableStream<unknown>],
  ['Readable.toWeb(Readable.from(reply))', (reply) => Readable.toWeb(Readable.from(reply)) as ReadableStream<unknown>],
]
const iterators: [string, (reply: Reply) => AsyncIterable<unknown>][] = [
  ['a reply', (reply) => reply],
  ['pieces()', (reply) => reply.pieces()],
  ['events()', (reply) => reply.events()],
]

describe.each(streams)('a reader of %s', (_, open) => {
  it.each(Array.from({ length: PIECES + 2 }, (_, taken) => taken))(
    'that is cancelled after %i pieces, while no read is pending, leaves no connection and no timer',
    async (taken) => {
      const { client, timing, requests } = connect()
      const reader = (await open(client.follow('run_1')))?.getReader()
      for (let index = 0; index < taken && index < PIECES; index += 1) await reader?.read()
      for (let turn = 0; turn < 20; turn += 1) await settle()
      await reader?.cancel()
      await vi.waitFor(() => {
        const open = requests.filter(({ url, signal }) => url.endsWith('/events') && !signal.aborted)
        expect([open.length, timing.pending]).toEqual([0, 0])
      })
    },
  )
})

describe.each(iterators)('return() of an iterator of %s', (_, open) => {
  it.each([0, 1, PIECES])('settles at once after %i items, even while the run is silent', async (taken) => {
    const { client, timing, requests } = connect()
    const items = open(client.follow('run_1'))[Symbol.asyncIterator]()
    for (let index = 0; index < taken; index += 1) await items.next()
    const pending = items.next()
    await items.return?.()
    if (taken === PIECES) expect(await pending).toEqual({ done: true, value: undefined })
    await vi.waitFor(() => {
      const open = requests.filter(({ url, signal }) => url.endsWith('/events') && !signal.aborted)
      expect([open.length, timing.pending]).toEqual([0, 0])
    })
  })
})
