import MiniSearch, { type Options, type SearchOptions } from 'minisearch'
import { isRuleNumber, rankOf, searchTerm } from './rank.ts'

/**
 * What the search of the theme loads its index with, in place of the library itself: guides come first. The theme would
 * take functions only from its configuration, as text to evaluate, and the pages' policy allows nothing of the kind.
 */
export default {
  loadJSON: <Document>(json: string, options: Options<Document>): MiniSearch<Document> => {
    const ranking: SearchOptions = { boostDocument: rankOf, processTerm: searchTerm }
    const index = MiniSearch.loadJSON<Document>(json, {
      ...options,
      searchOptions: { ...options.searchOptions, ...ranking },
    })
    const search = index.search.bind(index)
    // Whoever types the number of a rule wants that rule.
    index.search = (query, more) => search(query, isRuleNumber(query) ? { ...more, ...EXACT } : more)
    return index
  },
}

const EXACT: SearchOptions = {
  combineWith: 'AND',
  prefix: false,
  fuzzy: false,
  boostDocument: (id) => (/\/rules\//.test(id) ? 2 : 1),
}
