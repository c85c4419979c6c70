import { Resolver } from 'node:dns/promises'
import type { ResolvedAddress } from '../domain/callback-url.ts'

/** Resolves to the IPv4 and IPv6 addresses of a host name. Rejects if both look-ups fail; the signal cancels them. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>

const QUERY_TIMEOUT_MS = 3000
const TRIES = 2

/**
 * Asks the system's name servers directly. The system's own look-up takes a thread for each name, so a few receivers
 * with unresponsive name servers would block all others.
 * @param servers `address:port` of name servers to ask instead of the system's.
 */
export const createResolveHost =
  (servers?: readonly string[]): ResolveHost =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = [...fulfilled(ipv4, 4), ...fulfilled(ipv6, 6)]
      if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

const fulfilled = (result: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
