/** Which of the places that match a reader most likely wants: the score of a place is multiplied by this. */
export const rankOf = (address: string): number => {
  const path = address.split('#', 1)[0] ?? ''
  const kind = KINDS.find(([part]) => part.test(path))?.[1] ?? 1
  // A page as a whole says more than one of its sections.
  return address.includes('#') ? kind : kind * WHOLE_PAGE
}

const WHOLE_PAGE = 1.6

const KINDS: readonly (readonly [RegExp, number])[] = [
  [/\/(guides|start)\//, 4],
  [/\/protocol/, 1.2],
  [/\/errors$/, 1.5],
  [/\/reference\/sdk\/functions\//, 2],
  [/\/reference\/sdk\/client-methods\//, 1.6],
  [/\/reference\/sdk\//, 0.7],
  [/\/reference\//, 1.4],
  [/\/rules\//, 0.5],
  [/\/(decisions|changelog|deprecated)/, 0.3],
]

/** Words of a question that say nothing of what is asked for. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an and any are as at be by can do does for from get how i if in into is it me my of on or so that the then there this to use using want we what when where which why with you your'.split(
    ' ',
  ),
)

/** A word to look for; null for one that is in every text. */
export const searchTerm = (word: string): string | null => {
  const term = word.toLowerCase()
  return FILLERS.has(term) ? null : term
}

export const isRuleNumber = (query: unknown): boolean => typeof query === 'string' && /^\s*[A-Z]+-\d+\s*$/i.test(query)
