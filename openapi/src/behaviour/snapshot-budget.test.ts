import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message, Snapshot } from '../../generated/gateway-closed.ts'
import type { SnapshotParts } from './snapshot-budget.ts'
import { fitSnapshot, snapshotJson } from './snapshot-budget.ts'

const message = (cursor: number, text: string): Message => ({
  cursor,
  message_id: `msg_${cursor}`,
  conversation_id: 'conv',
  run_id: `run_${cursor}`,
  generation: 1,
  role: 'user',
  created_at: '2026-01-01T00:00:00.000Z',
  content: { text },
})

const run = (n: number, text: string | null): Snapshot['runs'][number] => ({
  run_id: `run_${n}`,
  generation: 1,
  state: 'succeeded',
  device_received: true,
  result: text === null ? null : { text },
  result_available: text !== null,
})

const snapshot = (texts: string[], results: (string | null)[]): SnapshotParts => ({
  conversation_id: 'conv',
  generation: 1,
  watermark: 9,
  messages: texts.map((text, index) => JSON.stringify(message(index + 1, text))),
  runs: results.map((text, index) => run(index + 1, text)),
})

const bytes = (parts: SnapshotParts): number => Buffer.byteLength(snapshotJson(parts))
const cursorsOf = ({ messages }: SnapshotParts): number[] => messages.map((text) => JSON.parse(text).cursor)

test('a snapshot within its budget does not change', () => {
  const whole = snapshot(['a', 'b'], ['x'])
  expect(fitSnapshot(whole, bytes(whole))).toEqual(whole)
})

test('a snapshot is JSON with all of its parts', () => {
  const whole = snapshot(['a', 'b'], ['x', null])
  const said: Snapshot = JSON.parse(snapshotJson(whole))
  expect(said).toEqual({ ...whole, messages: [message(1, 'a'), message(2, 'b')] })
})

test('result bodies are dropped first, oldest first, but reported as available [SNAP-10, SNAP-18, SNAP-19]', () => {
  const whole = snapshot(['a'], ['x'.repeat(100), 'y'.repeat(100)])
  const fitted = fitSnapshot(whole, bytes(whole) - 1)
  expect(fitted.runs.map(({ result, result_available }) => [result, result_available])).toEqual([
    [null, true],
    [{ text: 'y'.repeat(100) }, true],
  ])
  expect(fitted.messages).toEqual(whole.messages)
})

test('the oldest messages are dropped after all result bodies [SNAP-20]', () => {
  const whole = snapshot(['a'.repeat(1000), 'b'], ['x'])
  const fitted = fitSnapshot(whole, bytes(whole) - 500)
  expect(cursorsOf(fitted)).toEqual([2])
  expect(fitted.runs[0]?.result).toBeNull()
})

test('the budget counts bytes for any text [SNAP-08]', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 20 }),
      fc.array(fc.option(text), { maxLength: 10 }),
      fc.nat(5000),
      (texts, results, extra) => {
        const whole = snapshot(texts, results)
        const empty = bytes({ ...whole, messages: [], runs: whole.runs.map((r) => ({ ...r, result: null })) })
        const fitted = fitSnapshot(whole, empty + extra)
        expect(bytes(fitted)).toBeLessThanOrEqual(empty + extra)
        expect(fitted.messages).toEqual(whole.messages.slice(whole.messages.length - fitted.messages.length))
        if (fitted.messages.length < whole.messages.length)
          expect(fitted.runs.every(({ result }) => result === null)).toBe(true)
      },
    ),
  )
})
