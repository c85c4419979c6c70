import { describe, expect, it } from 'vitest'
import { mergePage } from './merge-page.ts'

/** Items by their numbers; a higher one is newer. */
const item = (number: number) => ({ id: `item_${number}`, created_at: new Date(number * 1000).toISOString() })
const items = (...numbers: number[]) => numbers.map(item)
const idOf = ({ id }: { id: string }): string => id
const LIMIT = 3

describe('a page that is read again', () => {
  it('adds new items, and keeps items older than the page', () => {
    const list = { items: items(5, 4, 3, 2, 1), isWhole: true }
    const merged = mergePage(list, { after: null, items: items(6, 5, 4), limit: LIMIT }, idOf)
    expect(merged).toEqual({ items: items(6, 5, 4, 3, 2, 1), isWhole: true })
  })

  it('removes deleted items from the range that it covers', () => {
    const list = { items: items(5, 4, 3, 2, 1), isWhole: true }
    const merged = mergePage(list, { after: 'item_5', items: items(3, 2, 1), limit: LIMIT }, idOf)
    expect(merged.items).toEqual(items(5, 3, 2, 1))
  })

  it('is the end of the list if it is not full', () => {
    const list = { items: items(5, 4, 3, 2, 1), isWhole: false }
    expect(mergePage(list, { after: 'item_4', items: items(3), limit: LIMIT }, idOf)).toEqual({
      items: items(5, 4, 3),
      isWhole: true,
    })
    expect(mergePage(list, { after: null, items: [], limit: LIMIT }, idOf)).toEqual({ items: [], isWhole: true })
  })

  it('does not decide whether there are more items if it continues from the end', () => {
    const list = { items: items(6, 5, 4), isWhole: false }
    const merged = mergePage(list, { after: 'item_4', items: items(3, 2, 1), limit: LIMIT }, idOf)
    expect(merged).toEqual({ items: items(6, 5, 4, 3, 2, 1), isWhole: false })
  })

  it('keeps each of several items with the same creation time, without duplicates', () => {
    const [first, second, third] = ['a', 'b', 'c'].map((id) => ({ id, created_at: item(1).created_at }))
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    const list = { items: [first, second, third], isWhole: true }
    expect(mergePage(list, { after: null, items: [first, second], limit: 2 }, idOf).items).toEqual([
      first,
      second,
      third,
    ])
  })
})
