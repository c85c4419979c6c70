/** The JavaScript types of values, by the type of their column. */
interface Values {
  readonly text: string
  readonly smallint: number
  readonly integer: number
  readonly bigint: number
  readonly boolean: boolean
  readonly timestamptz: Date
  readonly json: object
  /** Serialised JSON, for a column of type json. */
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

/** The rows of the JSON list `$1`, as table `n` in a `from` clause. */
export const listOf = (columns: Columns): string => {
  const typed = Object.entries(columns).map(([name, column]) => {
    const type = column.replace('?', '')
    return `${name} ${SQL_TYPES[type] ?? type}`
  })
  return `json_to_recordset($1::json) as n(${typed.join(', ')})`
}

/**
 * The same list for a join. The limit from a subselect hides its length from the planner, which then assumes a short
 * list and looks rows up by key, even without statistics.
 */
export const shortListOf = (columns: Columns): string => `(select * from ${listOf(columns)} limit (select 1000000)) n`
