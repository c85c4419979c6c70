/** Throws a `TypeError` for an option that nothing would heed; it names the nearest one that there is. */
export function checkNames(options: object, known: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const [nearest] = Object.keys(known).sort((one, other) => distance(name, one) - distance(name, other))
    throw new TypeError(`${name} is no option; did you mean ${nearest}?`)
  }
}

/** How many letters have to be changed, added or left out to make one name of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const letter of one)
    row = row.reduce<number[]>((next, above, index) => {
      const changed = (row[index - 1] ?? 0) + (letter.toLowerCase() === other[index - 1]?.toLowerCase() ? 0 : 1)
      next.push(index === 0 ? above + 1 : Math.min(above + 1, (next[index - 1] ?? 0) + 1, changed))
      return next
    }, [])
  return row.at(-1) ?? 0
}
