import { expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { connectTo } from '../../test/support/scripted-client.ts'
import { createAnsweringFetch, json, problem, type Reply, unreachable } from '../../test/support/scripted-fetch.ts'
import { ADMISSION, CONVERSATION, delta, frames, some, whole } from '../../test/support/speaking-gateway.ts'

const REPLY = 'One two three four'
const REFUSED = problem('STREAM_LIMIT', { 'retry-after': '5' })

interface Play {
  /** The time at which a stream becomes free, in milliseconds after the start. */
  readonly freeAfterMs: number
  /** The length of the reply at a given time. */
  readonly lengthAt: (elapsedMs: number) => number
  /** Whether the gateway cannot be reached when the snapshot is read. */
  readonly isAway?: () => boolean
  /** The answer to send in place of the snapshot. */
  readonly snapshot?: Reply
}

/**
 * A gateway without a free stream, whose assistant keeps writing: its event of seq 5 + n is character n of the reply.
 */
const play = ({ freeAfterMs, lengthAt, isAway, snapshot }: Play) => {
  const timing = createManualTiming()
  const startMs = timing.elapsed()
  const lines: string[] = []
  const times: [string, number][] = []
  const { fetch, requests } = createAnsweringFetch((request) => {
    if (request.method === 'POST') return json(202, ADMISSION)(request)
    const elapsedMs = timing.elapsed() - startMs
    const length = Math.min(REPLY.length, lengthAt(elapsedMs))
    const isOver = length === REPLY.length
    const result = isOver ? { text: REPLY } : null
    const run = { run_id: 'run_1', conversation_id: 'conv_1', state: isOver ? 'succeeded' : 'running', result }
    if (request.url.endsWith('/events')) {
      times.push(['stream', elapsedMs])
      if (elapsedMs < freeAfterMs) return REFUSED(request)
      const after = Number(request.headers.get('last-event-id'))
      const events = [...REPLY].map((text, index) => delta(5 + index, 'msg_2', text))
      return frames([...events, whole(30, 'msg_2', REPLY), some(31, 'run.completed')].filter(({ seq }) => seq > after))(
        request,
      )
    }
    if (request.url.endsWith('/runs/run_1')) return json(200, run)(request)
    times.push(['snapshot', elapsedMs])
    if (isAway?.()) return unreachable('ECONNREFUSED')(request)
    const content = { text: REPLY.slice(0, length), partial: !isOver }
    const messages = [
      { message_id: 'msg_1', run_id: 'run_1', role: 'user', content: { text: 'Hi' } },
      { message_id: 'msg_2', run_id: 'run_1', role: 'assistant', content },
    ]
    const watermark = isOver ? 31 : 4 + length
    const shown = { conversation_id: 'conv_1', generation: 1, watermark, messages, runs: [run] }
    return (snapshot ?? json(200, shown))(request)
  })
  const logger = { debug: () => {}, info: () => {}, warn: (line: string) => lines.push(line), error: () => {} }
  const { client } = connectTo(fetch, { timing, logger })
  return { client, timing, requests, lines, times }
}

it('reads a reply from snapshots every two seconds, asks for a stream as often as the gateway allows, and reports this once', async () => {
  const { client, timing, lines, times } = play({ freeAfterMs: 11_000, lengthAt: (ms) => ms / 1000 })
  const texts = await timing.drive(all(client.ask(CONVERSATION, 'Hi')))
  expect(texts.join('')).toBe(REPLY)
  expect(times).toEqual([
    ['stream', 0],
    ...[0, 2000, 4000].map((ms) => ['snapshot', ms]),
    ['stream', 6000],
    ...[6000, 8000, 10_000].map((ms) => ['snapshot', ms]),
    ['stream', 12_000],
  ])
  // These first pieces come from snapshots.
  expect(texts.slice(0, 5)).toEqual(['On', 'e ', 'tw', 'o ', 'th'])
  expect(lines).toEqual([expect.stringMatching(/^conversation-gateway poll streamRunEvents/)])
})

it('returns a reply that ends while no stream is free, and its run', async () => {
  const { client, timing, times } = play({ freeAfterMs: Number.POSITIVE_INFINITY, lengthAt: (ms) => 6 * (ms / 1000) })
  const reply = client.ask(CONVERSATION, 'Hi')
  const pieces = await timing.drive(all(reply.pieces()))
  expect(pieces.map(({ seq, text }) => [seq, text])).toEqual([
    [16, 'One two thre'],
    [31, 'e four'],
  ])
  expect(reply.position).toBe(31)
  expect(times.filter(([of]) => of === 'stream')).toHaveLength(1)
})

it('waits for a stream if the snapshot may not be read, or if the text at the position is unknown', async () => {
  for (const [snapshot, read] of [
    [problem('PERMISSION_DENIED'), (client: ReturnType<typeof play>['client']) => client.ask(CONVERSATION, 'Hi')],
    [undefined, (client: ReturnType<typeof play>['client']) => client.follow('run_1', { after: 4 })],
  ] as const) {
    const { client, timing, times } = play({
      freeAfterMs: 11_000,
      lengthAt: () => 3,
      ...(snapshot && { snapshot }),
    })
    expect((await timing.drive(all(read(client)))).join('')).toBe(REPLY)
    expect(times.filter(([of]) => of === 'snapshot').length).toBe(snapshot ? 1 : 0)
  }
})

it('serves readers that share a connection by their own options: one waits, the other reads snapshots', async () => {
  const { client, timing, times } = play({ freeAfterMs: 11_000, lengthAt: (ms) => ms / 1000 })
  const waiting = all(client.runs.events('run_1', { after: 4 }))
  const texts = all(client.ask(CONVERSATION, 'Hi'))
  const [events, pieces] = await timing.drive(Promise.all([waiting, texts]))
  expect(events.map(({ seq }) => seq)).toEqual([...Array.from(REPLY, (_, index) => 5 + index), 30, 31])
  expect(pieces.join('')).toBe(REPLY)
  expect(times.some(([of]) => of === 'snapshot')).toBe(true)
})

it('updates a watched conversation from snapshots', async () => {
  const { client, timing, lines } = play({ freeAfterMs: 5000, lengthAt: (ms) => ms / 1000 })
  const kinds: string[] = []
  const watching = (async () => {
    for await (const { kind, state } of client.conversations.watch('conv_1')) {
      if (kinds.at(-1) !== kind) kinds.push(kind)
      if (state.position === 31) return state.messages.at(-1)?.content.text
    }
    return undefined
  })()
  expect(await timing.drive(watching)).toBe(REPLY)
  expect(kinds).toEqual(['snapshot', 'gap', 'event'])
  expect(lines.filter((line) => line.includes('STREAM_LIMIT') || line.includes(' poll '))).toHaveLength(1)
})

it('keeps watching while the gateway is unreachable for longer than the timeout of a call', async () => {
  let readings = 0
  const { client, timing } = play({
    freeAfterMs: 60_000,
    lengthAt: (ms) => ms / 1000,
    isAway: () => ++readings > 1 && readings < 20,
  })
  const watching = (async () => {
    for await (const { state } of client.conversations.watch('conv_1'))
      if (state.position === 31) return state.messages.at(-1)?.content.text
    return undefined
  })()
  expect(await timing.drive(watching)).toBe(REPLY)
  expect(readings).toBeGreaterThanOrEqual(20)
})

it('rejects a stream with `waitForStream: false`', async () => {
  const { client, timing } = play({ freeAfterMs: 11_000, lengthAt: () => 3 })
  const events = all(client.runs.events('run_1', { waitForStream: false }))
  await expect(timing.drive(events)).rejects.toMatchObject({ code: 'STREAM_LIMIT' })
})
