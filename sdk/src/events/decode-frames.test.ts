import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frameOf, someEvent } from '../../test/support/played-gateway.ts'
import { ConnectionError } from '../errors.ts'
import type { EventEnvelope } from '../generated/gateway.ts'
import { createFrameDecoder } from './decode-frames.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

type Arrival = EventEnvelope | 'ping' | number | ConnectionError

/** Decodes until a frame is broken. */
const decodeAll = (chunks: readonly Uint8Array[], maxFrameLength = 10_000): Arrival[] => {
  const arrivals: Arrival[] = []
  const decode = createFrameDecoder(maxFrameLength, {
    onEvent: (event) => arrivals.push(event),
    onPing: () => arrivals.push('ping'),
    onRetry: (delayMs) => arrivals.push(delayMs),
  })
  for (const chunk of chunks) {
    const fault = decode(chunk)
    if (fault) return [...arrivals, fault]
  }
  return arrivals
}

const kindOf = (arrival: Arrival): string => {
  if (arrival instanceof ConnectionError) return 'broken'
  return typeof arrival === 'object' ? 'event' : String(arrival)
}

const kinds = (arrivals: readonly Arrival[]): string[] => arrivals.map(kindOf)

const cutAt = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

it('decodes the same result for any chunking and any line ending', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('event', 'ping', 'retry'), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 40 }),
      (parts, lineEnd, cuts) => {
        const texts = { ping: `: ping${lineEnd}${lineEnd}`, retry: `retry: 1000${lineEnd}${lineEnd}` }
        const wire = parts
          .map((part, seq) => (part === 'event' ? frameOf(someEvent(seq), lineEnd) : texts[part]))
          .join('')
        // A CR at the very end may be half of a CRLF; only the next byte tells.
        const bytes = encode(`${wire}x`)
        expect(decodeAll(cutAt(bytes, cuts))).toEqual(
          parts.map((part, seq) => {
            if (part === 'event') return someEvent(seq)
            return part === 'ping' ? 'ping' : 1000
          }),
        )
      },
    ),
  )
})

it.each([
  ['no JSON', 'id: 1\ndata: {\n\n'],
  ['no object', 'id: 1\ndata: null\n\n'],
  ['no event', 'id: 1\ndata: {"seq":1}\n\n'],
  ['another id than its seq', frameOf(someEvent(1)).replace('id: 1', 'id: 2')],
  ['an id that writes its seq with a leading zero', frameOf(someEvent(1)).replace('id: 1', 'id: 01')],
  ['an id that writes its seq as a decimal', frameOf(someEvent(1)).replace('id: 1', 'id: 1.0')],
  ['no id', frameOf(someEvent(1)).replace('id: 1\n', '')],
  ['a seq that is text', 'id: 1\ndata: {"seq":"1","type":"a","payload":{}}\n\n'],
])('reports a frame with %s as broken, and ignores what follows', (_, frame) => {
  expect(kinds(decodeAll([encode(frameOf(someEvent(0)) + frame + frameOf(someEvent(2)))]))).toEqual(['event', 'broken'])
})

it.each([
  ['null', ',"payload":null'],
  ['text', ',"payload":"later"'],
  ['absent', ''],
])('passes an event of a later gateway whose payload is %s [EVT-27]', (_, payload) => {
  const frame = `id: 1\ndata: {"seq":1,"type":"run.paused"${payload}}\n\n`
  expect(kinds(decodeAll([encode(frame)]))).toEqual(['event'])
  expect(kinds(decodeAll([encode(frame.replace('run.paused', 'run.started'))]))).toEqual(['broken'])
})

it('rejects bytes that are not UTF-8', () => {
  expect(kinds(decodeAll([Uint8Array.of(0x64, 0x61, 0xc3, 0x28)]))).toEqual(['broken'])
})

it.each([
  ['in one chunk', (bytes: Uint8Array) => [bytes]],
  ['byte by byte', (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte))],
])('reports a frame above the limit as broken when it arrives %s', (_, cut) => {
  const frame = encode(frameOf(someEvent(1)))
  expect(kinds(decodeAll(cut(frame), frame.length + 10))).toEqual(['event'])
  expect(kinds(decodeAll(cut(frame), 100))).toEqual(['broken'])
})

it('ignores fields that it does not know', () => {
  expect(kinds(decodeAll([encode(`shape: round\n${frameOf(someEvent(1))}`)]))).toEqual(['event'])
})
