const TABLE = /^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/

/** Returns a name whose characters need no quotes in SQL; throws a `TypeError` for any other. */
export function checkTableName(table: string): string {
  if (TABLE.test(table)) return table
  throw new TypeError('table must be a name in lower case, with or without its schema.')
}
