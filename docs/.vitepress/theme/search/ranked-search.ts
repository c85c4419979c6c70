import MiniSearch, { type Options, type SearchOptions, type SearchResult } from 'minisearch'
import { excerptOf } from './excerpt.ts'
import { isRuleNumber, kindNameOf, rankOf, searchTerm } from './rank.ts'

/**
 * Replaces MiniSearch in the search box of the theme, to rank guides first. The theme accepts ranking functions only in
 * its configuration and evaluates them from text, which the content security policy of the pages forbids.
 */
export default {
  loadJSON: <Document>(json: string, options: Options<Document>): MiniSearch<Document> => {
    const index = MiniSearch.loadJSON<Document>(json, options)
    const search = index.search.bind(index)
    const isKnown = (word: string): boolean => search(word, { ...RANKED, fuzzy: false }).length > 0
    // Correct the spelling only of words that occur nowhere.
    const fuzzy = (word: string): number | boolean => !isKnown(word) && TOLERANCE
    // For a rule number, show exactly that rule.
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

/** The number of results that the theme shows. */
const SHOWN = 16

/** The theme shows only titles, so the kind of page becomes the first title and the excerpt the last. */
const describe = (result: SearchResult): SearchResult => ({
  ...result,
  titles: [kindNameOf(String(result.id)), ...result.titles, result.title],
  title: excerptOf(result.text, result.terms),
})
