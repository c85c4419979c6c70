/**
 * Returns the same functions, but marks the rejections of their promises as handled. A check that sends several
 * requests and fails at the first abandons the others, and an unhandled rejection would end the process.
 */
export function withHandledRejections<Functions extends object>(functions: Functions): Functions {
  return new Proxy(functions, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args)
        if (result instanceof Promise) result.catch(() => {})
        return result
      }
    },
  })
}
