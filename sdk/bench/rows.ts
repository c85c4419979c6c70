/** One measured line: a figure, and its ratio to another contender of the same run. */
export interface Row {
  readonly table: string
  readonly name: string
  readonly value: number
  readonly ratio: number
  /** The largest permitted ratio; null without a limit. */
  readonly atMost: number | null
  readonly over: string
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** An empty list of samples for each contender. */
export const samplesOf = (contenders: readonly { readonly name: string }[]): Map<string, number[]> =>
  new Map(contenders.map(({ name }) => [name, []]))

/** The contender whose ratios have limits. */
const OWN = 'conversation-gateway'

/** Each ratio is the median of the ratios of all rounds, because the machine's speed changes from round to round. */
export const tableOf = (
  table: string,
  contenders: readonly { readonly name: string }[],
  samples: ReadonlyMap<string, readonly number[]>,
  { over, atMost }: { readonly over: string; readonly atMost: number | null },
): Row[] => {
  const base = samples.get(over) ?? []
  return contenders.map(({ name }) => {
    const own = samples.get(name) ?? []
    const ratio = medianOf(own.map((value, round) => value / (base[round] ?? Number.NaN)))
    return { table, name, over, value: medianOf(own), ratio, atMost: name === OWN ? atMost : null }
  })
}

export const holds = ({ ratio, atMost }: Row): boolean => atMost === null || ratio <= atMost

export const formatRow = (row: Row): string => {
  const bound = row.atMost === null ? '' : `  asked ≤ ${row.atMost}${holds(row) ? '' : '  MISSED'}`
  return `  ${row.name.padEnd(22)} ${row.value.toFixed(2).padStart(9)}  ${row.ratio.toFixed(2).padStart(6)} × ${row.over}${bound}`
}
