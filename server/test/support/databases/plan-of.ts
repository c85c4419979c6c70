import type { Db, Param, Statement } from '../../../src/store/db.ts'

/** The plan of the last statement that `read` sends. The statements before it are executed first. */
export const planOf = async (db: Db, read: (db: Db) => Promise<unknown>, explain = 'explain'): Promise<string> => {
  const sent: { statement: Statement; params: readonly Param[] }[] = []
  const query: Db['query'] = async (statement, params) => {
    sent.push({ statement, params })
    return []
  }
  await read({ ...db, query, transaction: (work) => work({ inTransaction: true, query }) })
  const last = sent.pop()
  if (last === undefined) throw new Error('no statement was sent')
  const values = last.params.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const execute = (text: string): Statement => ({ name: '', access: 'write', text })
  const rows = await db.transaction(async (tx) => {
    for (const { statement, params } of sent) await tx.query(statement, params)
    await tx.query(execute(`prepare explained as ${last.statement.text}`), [])
    const plan = await tx.query<{ 'QUERY PLAN': string }>(execute(`${explain} execute explained(${values})`), [])
    await tx.query(execute('deallocate explained'), [])
    return plan
  })
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
