/** Two names are similar if at most this fraction of their characters differs. */
const TYPING_ERROR = 0.3

/** The most similar known name; null if none is similar. */
export const closestName = (name: string, known: readonly string[]): string | null => {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= name.length * TYPING_ERROR ? best.candidate : null
}

/** The Levenshtein distance between two texts. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, fromChar] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, toChar] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (fromChar === toChar ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
