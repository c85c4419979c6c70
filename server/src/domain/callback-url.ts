import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './public-address.ts'

/** The operator's rules for callback targets. */
export interface CallbackTargets {
  /** Exact host names (`SERVICE_GATEWAY_CALLBACK_HOSTS`), in lower case. Empty: no host is allowed. */
  readonly hosts: ReadonlySet<string>
  /**
   * For local development: origins that are exempt from the rules for scheme, port, host and address
   * (`GATEWAY_CALLBACK_DEV_TARGETS`).
   */
  readonly devOrigins: ReadonlySet<string>
}

export type CallbackUrlVerdict =
  /** `isExempt`: one of the origins for local development, whose addresses are not checked. */
  | { readonly ok: true; readonly url: URL; readonly isExempt: boolean }
  | { readonly ok: false; readonly message: string }

/**
 * Whether the URL itself is allowed for callbacks: HTTPS on port 443, a host name of the allowlist, no IP address in
 * any spelling, no localhost, no userinfo and no fragment (D-41). An origin for development needs only the last two.
 */
export const checkCallbackUrl = (text: string, { hosts, devOrigins }: CallbackTargets): CallbackUrlVerdict => {
  const url = URL.parse(text)
  if (url === null) return refused('must be an absolute URL')
  if (url.username !== '' || url.password !== '') return refused('must not have a user name or password')
  if (text.includes('#')) return refused('must not have a fragment')
  if (devOrigins.has(url.origin)) return { ok: true, url, isExempt: true }
  if (url.protocol !== 'https:') return refused('must be an https:// URL')
  if (url.port !== '') return refused('must use port 443, the default')
  // The URL parser has already normalised decimal, octal and hexadecimal spellings.
  if (isAddress(url.hostname)) return refused('must have a host name, not an IP address')
  if (/(^|\.)localhost\.?$/.test(url.hostname)) return refused('must not be localhost')
  if (!hosts.has(url.hostname))
    return refused(
      `has a host that is not allowed: SERVICE_GATEWAY_CALLBACK_HOSTS must name ${url.hostname} exactly, and ${hosts.size === 0 ? 'is empty' : 'does not'}`,
    )
  return { ok: true, url, isExempt: false }
}

const isAddress = (host: string): boolean => host.startsWith('[') || ipaddr.IPv4.isValid(host)

const refused = (message: string): CallbackUrlVerdict => ({ ok: false, message })

/** One of the addresses that a host name resolves to. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * The first address that callbacks may not be sent to; null when all are public. A single non-public address blocks the
 * host (D-41).
 */
export const findBlockedAddress = (addresses: readonly ResolvedAddress[]): string | null =>
  addresses.find(({ address }) => !isPublicAddress(address))?.address ?? null
