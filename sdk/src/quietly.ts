/**
 * Calls a hook of the program or a clean-up, which must not fail or delay the caller. Exceptions and rejections go to
 * `report`. Promises are not awaited: for example, the cancel of a cloned body settles only when the clone is read.
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
