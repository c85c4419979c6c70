import type { ScannedJson } from './scanned-json.ts'
import { byteAt, endOf, startOf } from './scanned-json.ts'

/**
 * Sorts member names bytewise with a stable multikey quicksort. The cost grows with the bytes of the names, even for
 * hostile names.
 * @param names Entries of normalised strings. Sorted in place.
 */
export const sortByName = (json: ScannedJson, names: number[]): void => {
  if (isSorted(json, names)) return
  // Iterative, because hostile names could make a recursion as deep as the number of names.
  const waiting: Part[] = [{ from: 0, to: names.length, depth: 0 }]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) sortPart(json, names, part, waiting)
}

/** Below 0 where name `a` comes first, 0 where the names are equal. */
export const compareNames = (json: ScannedJson, a: number, b: number): number => {
  for (let depth = 0; ; depth += 1) {
    const byte = nameByte(json, a, depth)
    const difference = byte - nameByte(json, b, depth)
    if (difference !== 0 || byte === NO_MORE) return difference
  }
}

/** Names from one index up to another whose first `depth` bytes are the same. */
interface Part {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/**
 * Repeatedly partitions a range by the next differing byte around a pivot, and pushes the lower and upper ranges onto
 * the stack.
 */
const sortPart = (json: ScannedJson, names: number[], part: Part, waiting: Part[]): void => {
  let { from, to, depth } = part
  while (to - from > 1) {
    depth = commonDepth(json, names, { from, to, depth })
    const pivot = nameByte(json, names[(from + to) >> 1], depth)
    let low = from
    let high = to
    for (let at = from; at < high; ) {
      const byte = nameByte(json, names[at], depth)
      if (byte < pivot) swap(names, at++, low++)
      else if (byte > pivot) swap(names, at, --high)
      else at += 1
    }
    if (low - from > 1) waiting.push({ from, to: low, depth })
    if (to - high > 1) waiting.push({ from: high, to, depth })
    from = low
    to = high
    if (pivot === NO_MORE) break
    depth += 1
  }
  // The remaining names are equal; entry numbers follow the order of the text.
  const equal = names.slice(from, to).sort((a, b) => a - b)
  for (const name of equal) names[from++] = name
}

/** The length of the common prefix of a range of names. */
const commonDepth = (json: ScannedJson, names: readonly number[], { from, to, depth }: Part): number => {
  const { bytes } = json
  const [first, length] = contentOf(json, names[from])
  let common = length
  for (let index = from + 1; index < to && common > depth; index += 1) {
    const [start, own] = contentOf(json, names[index])
    const limit = Math.min(common, own)
    let at = depth
    while (at < limit && bytes[start + at] === bytes[first + at]) at += 1
    common = at
  }
  return common
}

const swap = (names: number[], a: number, b: number): void => {
  const name = names[a] ?? 0
  names[a] = names[b] ?? 0
  names[b] = name
}

const isSorted = (json: ScannedJson, names: readonly number[]): boolean => {
  for (let index = 1; index < names.length; index += 1)
    if (compareNames(json, names[index - 1] ?? 0, names[index] ?? 0) > 0) return false
  return true
}

/** The virtual byte after a name's end; sorts before any other byte, since no name contains a raw NUL. */
const NO_MORE = 0

const nameByte = (json: ScannedJson, name: number | undefined, depth: number): number => {
  const [start, length] = contentOf(json, name)
  return depth < length ? byteAt(json.bytes, start + depth) : NO_MORE
}

/** The start and length of a name between its quotation marks. */
const contentOf = (json: ScannedJson, name = 0): [start: number, length: number] => {
  const start = startOf(json, name) + 1
  return [start, endOf(json, name) - 1 - start]
}
