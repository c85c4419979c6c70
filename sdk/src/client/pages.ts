import { leavable } from '../events/leavable.ts'
import { type Answer, AnswerPromise } from './pending-call.ts'

/** How a list is paged, as the generator knows it from the contract. */
export interface PagesSpec<Page, Item> {
  readonly items: (page: Page) => readonly Item[]
  /** Whether the next page is requested after the first or after the last item of a page. */
  readonly continueFrom: 'first' | 'last'
  /** The query parameters for the page after an item. */
  readonly next: (item: Item) => object
}

/** How a list is read. */
interface Paging<Page, Item> extends PagesSpec<Page, Item> {
  /** Reads a page; `from` has the query parameters of {@link PagesSpec.next}. */
  readonly read: (from: object, signal?: AbortSignal) => Promise<Answer<Page>>
  readonly maxItems: number
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
}

/**
 * A paginated list. Await it for the first page. Iterate over it for the items of all pages, newest first and at most
 * `maxItems`. `pages()` iterates over the pages themselves. Each page, also the first, is read when it is needed.
 */
export class Pages<Page, Item> extends AnswerPromise<Page> implements AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'Pages'
  readonly #paging: Paging<Page, Item>

  constructor(paging: Paging<Page, Item>) {
    super()
    this.#paging = paging
  }

  /** The first page, with the raw response and the request ID beside it. */
  withResponse(): Promise<Answer<Page>> {
    return this.#paging.read({})
  }

  /** Every page that has items. */
  pages(): AsyncIterableIterator<Page, void> {
    return leavable(this.#paging.signal, (signal) => this.#readPages(signal))
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item, void> {
    return leavable(this.#paging.signal, (signal) => this.#readItems(signal))
  }

  async *#readPages(signal: AbortSignal): AsyncGenerator<Page, void, undefined> {
    const { read, next, items, continueFrom } = this.#paging
    let page = await read({}, signal)
    for (;;) {
      const found = items(page.data)
      const edge = continueFrom === 'first' ? found[0] : found.at(-1)
      if (edge === undefined) return
      yield page.data
      page = await read(next(edge), signal)
    }
  }

  async *#readItems(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    const { items, continueFrom, maxItems } = this.#paging
    let count = 0
    if (maxItems <= 0) return
    for await (const page of this.#readPages(signal)) {
      // Pages that go backwards are iterated backwards, so that the order continues across pages.
      const found = continueFrom === 'first' ? [...items(page)].reverse() : items(page)
      for (const item of found) {
        yield item
        count += 1
        if (count >= maxItems) return
      }
    }
  }
}
