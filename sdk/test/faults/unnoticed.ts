import type { Fault, FaultProxy } from '@conversation-gateway/conformance/fault-proxy'

const HARMLESS: readonly Fault['kind'][] = ['pass', 'raw-answer', 'chunk', 'gzip', 'rewrite-line-endings']

/**
 * Faults that only change how an answer is transferred must not cause another request. Without this check, a client
 * that misreads the answer and repeats the request would pass, because it also shows everything once.
 * @param calls The number of calls of the path with the fault.
 * @throws {Error} if the client sent more requests although all answers were correct.
 */
export const assertUnnoticed = (proxy: FaultProxy, fault: string, calls = 1): void => {
  const met = proxy.exchanges().filter(({ faults }) => faults.length > 0)
  const isHarmless = met.every(({ faults }) => faults.every(({ kind }) => HARMLESS.includes(kind)))
  const requests = proxy.exchanges().filter(({ method, path }) => method === met[0]?.method && path === met[0]?.path)
  if (isHarmless && requests.length > calls) throw new Error(`${fault}: the client sent ${requests.length} requests`)
}
