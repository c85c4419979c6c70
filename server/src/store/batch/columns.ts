/** Values by the type with which PostgreSQL reads them from JSON. */
interface Values {
  readonly text: string
  readonly smallint: number
  readonly integer: number
  readonly bigint: number
  readonly boolean: boolean
  readonly timestamptz: Date
  readonly json: object
  /** JSON that is text already. */
  readonly json_text: string
}

/** Columns by their names; a `?` behind the type marks one that may be null. */
export type Columns = Readonly<Record<string, keyof Values | `${keyof Values}?`>>

export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends keyof Values
    ? Values[C[Name]]
    : C[Name] extends `${infer Type extends keyof Values}?`
      ? Values[Type] | null
      : never
}

const SQL_TYPES: Readonly<Record<string, string>> = { json_text: 'json' }

/** A list of rows in JSON, `$1`, as a table `n` to select from. */
export const listOf = (columns: Columns): string => {
  const typed = Object.entries(columns).map(([name, column]) => {
    const type = column.replace('?', '')
    return `${name} ${SQL_TYPES[type] ?? type}`
  })
  return `json_to_recordset($1::json) as n(${typed.join(', ')})`
}

/**
 * The same list for a join. The planner takes a list of unknown length for a short one: it looks rows up by key, also while it
 * knows nothing of a table.
 */
export const shortListOf = (columns: Columns): string => `(select * from ${listOf(columns)} limit (select 1000000)) n`
