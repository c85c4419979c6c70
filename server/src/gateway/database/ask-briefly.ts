import { DatabaseUnavailable } from '../../store/db.ts'

/**
 * Asks one at a time and waits for an answer no longer than so many milliseconds; who asks meanwhile gets the answer that
 * is on its way. For what has to be told within a time, whatever becomes of the database.
 * @throws {DatabaseUnavailable} no answer came in time.
 */
export const askBriefly = <Answer>(ask: () => Promise<Answer>, patienceMs: number): (() => Promise<Answer>) => {
  let asked: Promise<Answer> | null = null
  return async () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new DatabaseUnavailable(`the database has not answered for ${patienceMs} ms`))
    }, patienceMs)
    try {
      return await Promise.race([asked, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
