import type { Fault, FaultProxy } from '@conversation-gateway/conformance/fault-proxy'

const HARMLESS: readonly Fault['kind'][] = ['pass', 'raw-answer', 'chunk', 'gzip', 'rewrite-line-endings']

/**
 * Faults that only change how an answer travels must not cause another request. A client that misreads the answer and
 * repeats the request would also show everything once.
 * @param calls How many calls were made of the path that met the fault.
 * @throws {Error} there were more requests although the answers were correct.
 */
export const assertUnnoticed = (proxy: FaultProxy, fault: string, calls = 1): void => {
  const met = proxy.exchanges().filter(({ faults }) => faults.length > 0)
  const isHarmless = met.every(({ faults }) => faults.every(({ kind }) => HARMLESS.includes(kind)))
  const requests = proxy.exchanges().filter(({ method, path }) => method === met[0]?.method && path === met[0]?.path)
  if (isHarmless && requests.length > calls) throw new Error(`${fault}: the client asked ${requests.length} times`)
}
