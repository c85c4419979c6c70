/** Merges a page that was read again into a list that is read page by page, newest first. Pure. */

export interface Listed {
  readonly created_at: string
}

export interface MergedList<Item> {
  readonly items: readonly Item[]
  /** Whether nothing older exists. */
  readonly isWhole: boolean
}

export interface FreshPage<Item> {
  /** The ID of the item that the page follows; null for the newest page. */
  readonly after: string | null
  readonly items: readonly Item[]
  /** The number of items of a page that is not the last. */
  readonly limit: number
}

/**
 * Replaces the part of the list that the page covers, so removed items disappear. Older items stay, unless the page is
 * the last one.
 */
export const mergePage = <Item extends Listed>(
  list: MergedList<Item>,
  { after, items: fresh, limit }: FreshPage<Item>,
  idOf: (item: Item) => string,
): MergedList<Item> => {
  const anchor = after === null ? -1 : list.items.findIndex((item) => idOf(item) === after)
  const head = list.items.slice(0, anchor + 1)
  const last = fresh.at(-1)
  if (last === undefined || fresh.length < limit) return { items: [...head, ...fresh], isWhole: true }
  const known = new Set(fresh.map(idOf))
  const tail = list.items.slice(anchor + 1).filter((item) => !known.has(idOf(item)) && isOlder(item, last))
  return { items: [...head, ...fresh, ...tail], isWhole: list.isWhole && tail.length > 0 }
}

const isOlder = (item: Listed, last: Listed): boolean => item.created_at <= last.created_at
