import { describe, expect, it } from 'vitest'
import { createManualTimers } from '../../test/support/manual-timers.ts'
import type { ReplyPart } from '../writer/run-rules.ts'
import { createDeltaWindow, createReplyBatch, WAITING_PARTS } from './reply-batch.ts'

const WINDOW_MS = 15
const textOf = (part: ReplyPart) => ('text' in part ? part.text : JSON.stringify(part.activity))
const turn = () => new Promise(setImmediate)

const createFixture = (write?: (deltas: readonly ReplyPart[]) => Promise<boolean>) => {
  const timers = createManualTimers()
  const window = createDeltaWindow(timers, WINDOW_MS)
  const batches: string[][] = []
  const record = async (deltas: readonly ReplyPart[]) => {
    batches.push(deltas.map(textOf))
    return true
  }
  return { timers, window, batches, batch: createReplyBatch(window, write ?? record) }
}

describe('the deltas of a run', () => {
  it('are written at once the first time, with all of the same turn', async () => {
    const { batch, batches } = createFixture()
    batch.push('a')
    batch.push('b')
    expect(batches).toEqual([])
    await turn()
    expect(batches).toEqual([['a', 'b']])
  })

  it('are written once per window after that, unmerged', async () => {
    const { batch, batches, timers } = createFixture()
    batch.push('a')
    await turn()
    batch.push('b')
    timers.advance(WINDOW_MS - 1)
    batch.push('c')
    await turn()
    expect(batches).toEqual([['a']])
    timers.advance(1)
    expect(batches).toEqual([['a'], ['b', 'c']])
    batch.push('d')
    await turn()
    timers.advance(WINDOW_MS)
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']])
  })

  it('of all runs share one timer', async () => {
    const { batch, window, timers, batches } = createFixture()
    const other = createReplyBatch(window, async (deltas) => {
      batches.push(deltas.map((part) => `other ${textOf(part)}`))
      return true
    })
    for (const one of [batch, other]) one.push('a')
    await turn()
    timers.advance(WINDOW_MS)
    for (const one of [batch, other]) one.push('b')
    for (const one of [batch, other]) one.push('c')
    expect(timers.pending).toBe(1)
    timers.advance(WINDOW_MS)
    expect(batches).toEqual([['a'], ['other a'], ['b', 'c'], ['other b', 'other c']])
  })

  it('are written one statement at a time; those that arrive meanwhile are written in the next window', async () => {
    const statements: { texts: string[]; end: () => void }[] = []
    const { batch, timers } = createFixture(
      (deltas) => new Promise((resolve) => statements.push({ texts: deltas.map(textOf), end: () => resolve(true) })),
    )
    batch.push('a')
    await turn()
    batch.push('b')
    timers.advance(WINDOW_MS * 10)
    expect(statements.map(({ texts }) => texts)).toEqual([['a']])
    statements[0]?.end()
    await turn()
    timers.advance(WINDOW_MS)
    expect(statements.map(({ texts }) => texts)).toEqual([['a'], ['b']])
  })

  it(`are merged with adjacent ones if more than ${WAITING_PARTS} wait, and none is lost`, async () => {
    const { batch, batches } = createFixture()
    const words = Array.from({ length: 10_000 }, (_, index) => `${index} `)
    for (const word of words.slice(0, WAITING_PARTS)) batch.push(word)
    await batch.drain()
    expect(batches[0]).toEqual(words.slice(0, WAITING_PARTS))
    for (const word of words.slice(WAITING_PARTS)) batch.push(word)
    await batch.drain()
    expect(batches[1]?.length).toBeLessThanOrEqual(WAITING_PARTS)
    expect(batches.flat().join('')).toBe(words.join(''))
  })

  it('are numbered from 0 without a gap', async () => {
    const indexes: number[] = []
    const { batch } = createFixture(async (deltas) => {
      indexes.push(...deltas.flatMap((part) => ('index' in part ? [part.index] : [])))
      return true
    })
    for (const text of ['a', 'b', 'c']) {
      batch.push(text)
      await batch.drain()
    }
    expect(indexes).toEqual([0, 1, 2])
  })

  it('are dropped after a refused write', async () => {
    let writes = 0
    const { batch } = createFixture(async () => {
      writes += 1
      return false
    })
    batch.push('a')
    await batch.drain()
    batch.push('b')
    await batch.drain()
    expect(writes).toBe(1)
  })
})
