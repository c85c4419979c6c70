/** JavaScript types by the PostgreSQL type that reads them from JSON. */
interface Values {
  readonly text: string
  readonly smallint: number
  readonly integer: number
  readonly bigint: number
  readonly boolean: boolean
  readonly timestamptz: Date
  readonly json: object
  /** JSON that is already serialised. */
  readonly json_text: string
}

/** Types of columns by their names; a `?` behind the type marks a column that may be null. */
export type Columns = Readonly<Record<string, keyof Values | `${keyof Values}?`>>

export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends keyof Values
    ? Values[C[Name]]
    : C[Name] extends `${infer Type extends keyof Values}?`
      ? Values[Type] | null
      : never
}

const SQL_TYPES: Readonly<Record<string, string>> = { json_text: 'json' }

/** Selects from a JSON list of rows, `$1`, as table `n`. */
export const listOf = (columns: Columns): string => {
  const typed = Object.entries(columns).map(([name, column]) => {
    const type = column.replace('?', '')
    return `${name} ${SQL_TYPES[type] ?? type}`
  })
  return `json_to_recordset($1::json) as n(${typed.join(', ')})`
}

/**
 * The same list for a join. The planner assumes that a list of unknown length is short, so it looks rows up by key even
 * without statistics.
 */
export const shortListOf = (columns: Columns): string => `(select * from ${listOf(columns)} limit (select 1000000)) n`
