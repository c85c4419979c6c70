import { DatabaseUnavailable } from '../../store/db.ts'

/**
 * Runs one query at a time with a timeout in milliseconds; calls during a pending query share its answer. For answers
 * that must be given in time, whatever the database does.
 * @throws {DatabaseUnavailable} no answer arrived in time.
 */
export const askBriefly = <Answer>(ask: () => Promise<Answer>, timeoutMs: number): (() => Promise<Answer>) => {
  let asked: Promise<Answer> | null = null
  return async () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new DatabaseUnavailable(`the database has not answered for ${timeoutMs} ms`))
    }, timeoutMs)
    try {
      return await Promise.race([asked, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
