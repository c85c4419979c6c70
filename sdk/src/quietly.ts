/**
 * Calls what must not fail or delay its caller: a hook of the program, or a clean-up. An exception and a rejection go to
 * `report`, and a promise is not waited for: the cancel of a body that was cloned settles only when the clone is read.
 */
export function quietly<T>(action: () => T, report: (error: unknown) => void = () => {}): T | undefined {
  try {
    const result = action()
    if (isThenable(result)) Promise.resolve(result).catch(report)
    return result
  } catch (error) {
    report(error)
    return undefined
  }
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
