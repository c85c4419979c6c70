import { iterateOnce } from '../events/iterate-once.ts'
import { readItems } from './read-items.ts'
import type { WatchItem, WatchOptions, WatchPort } from './watch-item.ts'

/**
 * A conversation as it is and as it becomes: its snapshot, then an item for each event, without end. Can be iterated
 * once; leaving the loop closes the connection. Rejects as an event stream does, except that an expired position is a
 * `gap` and one reload of the snapshot.
 */
export const watch = (port: WatchPort, { signal }: WatchOptions = {}): AsyncIterable<WatchItem> =>
  iterateOnce('Watch anew.', signal, (inner, sink) => {
    const items = readItems(port, inner)
    return {
      next: () => void items.next().then(({ value }) => sink.onItems(value ?? null), sink.onFailure),
      close: async () => void (await items.return()),
    }
  })
