import { useEffect, useRef, useState } from 'preact/hooks'
import { describeProblem } from './describe-error.ts'
import { type Listed, type MergedList, mergePage } from './merge-page.ts'
import { startPolling } from './poll.ts'

export interface LiveList<Item> {
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  readonly isWhole: boolean
  /** Whether the first page has arrived. */
  readonly isLoaded: boolean
  readonly error: string | null
  readonly refresh: () => void
  /** The list updates the shown rows, and loads more when the end is near. */
  readonly onShown: (first: number, last: number) => void
}

export interface ListSource<Item> {
  /** Identifies the query; another key starts a new list. */
  readonly key: string
  readonly read: (query: { limit: number; before?: string }, signal: AbortSignal) => Promise<readonly Item[]>
  readonly idOf: (item: Item) => string
  readonly everyMs: number
}

const PAGE = 100
/** This many rows above the shown ones are updated, too. */
const MARGIN = 20
/** More rows are loaded at this distance from the end. */
const AHEAD = 60

/** A list of any length, newest first. It loads as far as the user scrolls, and polls only the visible part. */
export const useLiveList = <Item extends Listed>({ key, read, idOf, everyMs }: ListSource<Item>): LiveList<Item> => {
  const [list, setList] = useState<{ key: string; merged: MergedList<Item> } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const now = useRef({ read, idOf, list, shown: [0, 0], everyMs })
  now.current = { ...now.current, read, idOf, list, everyMs }
  const readNow = useRef<() => void>(() => {})
  useEffect(() => {
    setError(null)
    now.current.shown = [0, 0]
    let merged: MergedList<Item> = { items: [], isWhole: false }
    const poll = startPolling(
      async (signal) => {
        try {
          const [first = 0, last = 0] = now.current.shown
          const isAtEnd = !merged.isWhole && last >= merged.items.length - AHEAD
          const start = isAtEnd ? merged.items.length : Math.max(0, first - MARGIN)
          const anchor = merged.items[start - 1]
          const after = anchor === undefined ? null : now.current.idOf(anchor)
          const query = after === null ? { limit: PAGE } : { limit: PAGE, before: after }
          const items = await now.current.read(query, signal)
          if (signal.aborted) return
          merged = mergePage(merged, { after, items, limit: PAGE }, now.current.idOf)
          setList({ key, merged })
          setError(null)
        } catch (failure) {
          if (!signal.aborted) setError(describeProblem(failure))
          throw failure
        }
      },
      () => now.current.everyMs,
    )
    readNow.current = poll.readNow
    return poll.stop
  }, [key])
  const current = list?.key === key ? list.merged : null
  return {
    items: current?.items ?? [],
    idOf,
    isWhole: current?.isWhole ?? false,
    isLoaded: current !== null,
    error,
    refresh: () => readNow.current(),
    onShown: (first, last) => {
      const isNear = current !== null && !current.isWhole && last >= current.items.length - AHEAD
      const wasNear = (now.current.shown[1] ?? 0) >= (current?.items.length ?? 0) - AHEAD
      now.current.shown = [first, last]
      if (isNear && !wasNear) readNow.current()
    },
  }
}
