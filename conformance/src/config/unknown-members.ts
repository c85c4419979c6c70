import { UsageError } from './load-config.ts'

/** The members that an object of a configuration may have; an object where they have members of their own. */
export interface KnownMembers {
  readonly [member: string]: true | KnownMembers
}

/** What is in a configuration and means nothing, each in a sentence with the nearest name. Functions and lists are not looked into. */
export function* findUnknownMembers(value: unknown, known: KnownMembers, path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(known, name) ? known[name] : undefined
    if (inner === undefined) yield `${path}${name}: there is no such member${didYouMean(name, Object.keys(known))}`
    else if (inner !== true) yield* findUnknownMembers(member, inner, `${path}${name}.`)
  }
}

/** @throws {UsageError} the configuration has such members. */
export function demandKnownMembers(name: string, config: unknown, known: KnownMembers): void {
  const unknown = [...findUnknownMembers(config, known)]
  if (unknown.length > 0)
    throw new UsageError(`${name} has faults:\n${unknown.map((fault) => `- ${fault}`).join('\n')}`)
}

const didYouMean = (name: string, names: readonly string[]): string => {
  const [nearest] = names
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(2, each.length / 3))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest === undefined ? `; there are ${names.join(', ')}` : `; did you mean ${nearest.each}?`
}

/** Levenshtein's: how many characters have to be changed, added or left out. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
