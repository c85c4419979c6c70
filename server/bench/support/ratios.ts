/** How often and how long a part measures. */
export interface Effort {
  readonly rounds: number
  readonly measureMs: number
}

/** A row of the report: usually the ratio of two measurements within one run. */
export interface Row {
  readonly name: string
  /** The median of the rounds' ratios, or a measured value in the unit that the name states. */
  readonly ratio: number
  /** Its required bound. */
  readonly bound: { readonly atLeast: number } | { readonly atMost: number }
  readonly detail: string
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]]
  return (low + high) / 2
}

/** The median of the rounds' ratios of two measurements. */
export const medianRatio = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((value, round) => value / (to[round] ?? Number.NaN)))

/** One member of the results of all rounds. */
export const valuesOf = <Key extends string>(results: readonly Readonly<Record<Key, number>>[], key: Key): number[] =>
  results.map((result) => result[key])

export const medianOf = <Key extends string>(results: readonly Readonly<Record<Key, number>>[], key: Key): number =>
  median(valuesOf(results, key))

/** {@link medianRatio} of one member of the results. */
export const medianRatioOf = <Key extends string>(
  of: readonly Readonly<Record<Key, number>>[],
  to: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number => medianRatio(valuesOf(of, key), valuesOf(to, key))

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const holds = ({ ratio, bound }: Row): boolean =>
  'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost

export const formatRow = (row: Row): string => {
  const asked = 'atLeast' in row.bound ? `>= ${short(row.bound.atLeast)}` : `<= ${short(row.bound.atMost)}`
  return `${holds(row) ? 'ok  ' : 'MISS'} ${row.ratio.toFixed(2).padStart(7)}  ${asked.padEnd(8)} ${row.name}  (${row.detail})`
}

const short = (bound: number): string => String(Number(bound.toFixed(2)))
