/** Fails the case unless the condition is true. */
export function claim(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not true: ${what}`)
}

/** Fails the case unless both are the same JSON. */
export const claimEqual = (actual: unknown, expected: unknown, what: string): void => {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, found ${found}`)
}

/** The reason that the promise rejects with; fails the case if it does not reject. */
export const rejectionOf = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('the promise did not reject')
}
