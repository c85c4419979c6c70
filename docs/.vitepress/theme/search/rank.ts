/** The factor for the score of a search result: higher for kinds of pages that readers are more likely to want. */
export const rankOf = (address: string): number => {
  const { rank } = kindOf(address)
  // A whole page is more useful than one of its sections.
  return address.includes('#') ? rank : rank * WHOLE_PAGE
}

const WHOLE_PAGE = 1.6

/** The kind of a page, as search results show it. */
export const kindNameOf = (address: string): string => kindOf(address).name

interface Kind {
  readonly name: string
  readonly rank: number
}

const kindOf = (address: string): Kind => {
  const path = address.split('#', 1)[0] ?? ''
  return KINDS.find(([part]) => part.test(path))?.[1] ?? OTHER
}

const OTHER: Kind = { name: 'Page', rank: 1 }

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/\/guides\//, { name: 'Guide', rank: 4 }],
  [/\/start\//, { name: 'Start', rank: 4 }],
  [/\/protocol/, { name: 'Protocol', rank: 1.2 }],
  [/\/errors$/, { name: 'Reference', rank: 1.5 }],
  [/\/reference\/sdk\/functions\//, { name: 'SDK', rank: 2 }],
  [/\/reference\/sdk\/client-methods\//, { name: 'SDK', rank: 1.6 }],
  [/\/reference\/sdk\//, { name: 'SDK', rank: 0.7 }],
  [/\/reference\/[^/]+\/objects\//, { name: 'Object', rank: 0.7 }],
  [/\/reference\/http\//, { name: 'HTTP', rank: 1.4 }],
  [/\/reference\/admin\//, { name: 'Operator’s API', rank: 1.4 }],
  [/\/reference\/worker\//, { name: 'Worker API', rank: 1.4 }],
  [/\/reference\//, { name: 'Reference', rank: 1.4 }],
  [/\/rules\//, { name: 'Rule', rank: 0.5 }],
  [/\/(decisions|changelog|deprecated)/, { name: 'Background', rank: 0.3 }],
]

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and any are as at be by can do does for from get how i if in into is it me my of on or so that the then there this to use using want we what when where which why with you your'.split(
    ' ',
  ),
)

/** The search term of a word; null for a stop word. */
export const searchTerm = (word: string): string | null => {
  const term = word.toLowerCase()
  return STOP_WORDS.has(term) ? null : term
}

export const isRuleNumber = (query: unknown): boolean => typeof query === 'string' && /^\s*[A-Z]+-\d+\s*$/i.test(query)
