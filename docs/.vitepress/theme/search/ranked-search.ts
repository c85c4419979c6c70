import MiniSearch, { type Options, type SearchOptions, type SearchResult } from 'minisearch'
import { excerptOf } from './excerpt.ts'
import { isRuleNumber, kindNameOf, rankOf, searchTerm } from './rank.ts'

/**
 * What the search of the theme loads its index with, in place of the library itself: guides come first. The theme would
 * take functions only from its configuration, as text to evaluate, and the pages' policy allows nothing of the kind.
 */
export default {
  loadJSON: <Document>(json: string, options: Options<Document>): MiniSearch<Document> => {
    const index = MiniSearch.loadJSON<Document>(json, options)
    const search = index.search.bind(index)
    const isKnown = (word: string): boolean => search(word, { ...RANKED, fuzzy: false }).length > 0
    // Only a word that no text has is taken for a misspelt one.
    const fuzzy = (word: string): number | boolean => !isKnown(word) && TOLERANCE
    // Whoever types the number of a rule wants that rule.
    index.search = (query) =>
      search(query, isRuleNumber(query) ? EXACT : { ...RANKED, fuzzy })
        .slice(0, SHOWN)
        .map(describe)
    return index
  },
}

const RANKED: SearchOptions = { boostDocument: rankOf, processTerm: searchTerm }

const EXACT: SearchOptions = {
  combineWith: 'AND',
  prefix: false,
  fuzzy: false,
  boostDocument: (id) => (/\/rules\//.test(id) ? 2 : 1),
}

/** The share of a word's letters that may be wrong. */
const TOLERANCE = 0.3

/** As many as the theme shows. */
const SHOWN = 16

/** The theme shows nothing but titles: the kind of page becomes the first of them, and what the text says the last. */
const describe = (result: SearchResult): SearchResult => ({
  ...result,
  titles: [kindNameOf(String(result.id)), ...result.titles, result.title],
  title: excerptOf(result.text, result.terms),
})
