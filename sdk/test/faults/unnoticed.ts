import type { Fault, FaultProxy } from '@conversation-gateway/conformance/fault-proxy'

const HARMLESS: readonly Fault['kind'][] = ['pass', 'raw-answer', 'chunk', 'gzip', 'rewrite-line-endings']

/**
 * Faults that only change how an answer travels must not be noticed: a client that reads it wrongly and asks again would
 * show everything once, too.
 * @throws {Error} there was another request although nothing was wrong with the answer to the first.
 */
export const assertUnnoticed = (proxy: FaultProxy, fault: string): void => {
  const met = proxy.exchanges().filter(({ faults }) => faults.length > 0)
  const isHarmless = met.every(({ faults }) => faults.every(({ kind }) => HARMLESS.includes(kind)))
  const requests = proxy.exchanges().filter(({ method, path }) => method === met[0]?.method && path === met[0]?.path)
  if (isHarmless && requests.length > 1) throw new Error(`${fault}: the client asked ${requests.length} times`)
}
