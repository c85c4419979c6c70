import { useRef, useState } from 'preact/hooks'
import { type Listed, type MergedList, mergePage } from './merge-page.ts'
import { usePolling } from './poll.ts'

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
const NOTHING: MergedList<never> = { items: [], isWhole: false }

/** A list of any length, newest first. It loads as far as the user scrolls, and polls only the visible part. */
export const useLiveList = <Item extends Listed>({ key, read, idOf, everyMs }: ListSource<Item>): LiveList<Item> => {
  const [list, setList] = useState<{ key: string; merged: MergedList<Item> } | null>(null)
  const state = useRef({ key, merged: NOTHING as MergedList<Item>, shown: [0, 0] })
  if (state.current.key !== key) state.current = { key, merged: NOTHING, shown: [0, 0] }
  const readPage = async (signal: AbortSignal): Promise<void> => {
    const now = state.current
    const [first = 0, last = 0] = now.shown
    const { items, isWhole } = now.merged
    const isAtEnd = !isWhole && last >= items.length - AHEAD
    const anchor = items[(isAtEnd ? items.length : Math.max(0, first - MARGIN)) - 1]
    const after = anchor === undefined ? null : idOf(anchor)
    const fresh = await read(after === null ? { limit: PAGE } : { limit: PAGE, before: after }, signal)
    if (signal.aborted) return
    now.merged = mergePage(now.merged, { after, items: fresh, limit: PAGE }, idOf)
    setList({ key, merged: now.merged })
  }
  const { error, refresh } = usePolling(key, readPage, everyMs)
  const current = list?.key === key ? list.merged : null
  return {
    items: current?.items ?? [],
    idOf,
    isWhole: current?.isWhole ?? false,
    isLoaded: current !== null,
    error,
    refresh,
    onShown: (first, last) => {
      const isNear = current !== null && !current.isWhole && last >= current.items.length - AHEAD
      const wasNear = (state.current.shown[1] ?? 0) >= (current?.items.length ?? 0) - AHEAD
      state.current.shown = [first, last]
      if (isNear && !wasNear) refresh()
    },
  }
}
