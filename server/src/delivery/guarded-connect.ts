import type { ClientRequest } from 'node:http'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { findBlockedAddress, type ResolvedAddress } from '../domain/callback-url.ts'
import type { ResolveHost } from './resolve-host.ts'

export interface GuardedConnectOptions {
  readonly resolve: ResolveHost
  /** Returns an address that must not be connected to, or null. Default: one that is not public (D-41). */
  readonly findBlocked?: (addresses: readonly ResolvedAddress[]) => string | null
  /** Certificates of authorities to trust instead of the system's (PEM). */
  readonly ca?: string
}

export interface OutgoingPost {
  readonly url: URL
  /** Whether to skip the check of addresses, for an origin of local development. */
  readonly isExempt: boolean
  readonly headers: Readonly<Record<string, string | number>>
}

/** The URL or an address of its host is blocked; no connection was made. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked'
}

/** Opens a POST request. Unless exempt, it connects to checked addresses only. @throws {AddressBlocked} */
export type GuardedConnect = (post: OutgoingPost, signal: AbortSignal) => Promise<ClientRequest>

/**
 * The name is resolved once. A single non-public address blocks the request. Otherwise the connection goes to the
 * checked addresses without another look-up; SNI, certificate check and `Host` still use the name. An exempt request
 * skips these checks. Connections are never reused, so that each one is checked. The environment's proxies and its
 * NODE_TLS_REJECT_UNAUTHORIZED have no effect.
 */
export const createGuardedConnect = ({
  resolve,
  findBlocked = findBlockedAddress,
  ca,
}: GuardedConnectOptions): GuardedConnect => {
  const http = new HttpAgent({ keepAlive: false })
  const https = new HttpsAgent({
    keepAlive: false,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  })
  return async ({ url, isExempt, headers }, signal) => {
    const options = { method: 'POST', headers, signal }
    if (isExempt)
      return url.protocol === 'http:'
        ? httpRequest(url, { ...options, agent: http })
        : httpsRequest(url, { ...options, agent: https })
    if (url.protocol !== 'https:' || isIP(url.hostname) !== 0 || url.hostname.startsWith('['))
      throw new AddressBlocked('The URL must use HTTPS and a host name, not an IP address.')
    const addresses = await resolve(url.hostname, signal)
    const blocked = findBlocked(addresses)
    if (blocked !== null)
      throw new AddressBlocked(`The host of the URL has the address ${blocked}, which is not a public one.`)
    return httpsRequest(url, { ...options, agent: https, servername: url.hostname, lookup: only(addresses) })
  }
}

/** A look-up that returns only these addresses. */
const only =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (host, options, callback) => {
    const [first] = addresses
    if (first === undefined) callback(Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
