import ipaddr from 'ipaddr.js'

/**
 * Whether callbacks may be sent to an address (D-41): only to ordinary public unicast addresses. Private, loopback,
 * link-local, shared (CGNAT), multicast, documentation, reserved and unspecified addresses are excluded, and so are
 * IPv6 forms of such IPv4 addresses (mapped, NAT64, 6to4), and addresses of cloud metadata. An address that cannot be
 * parsed is not public.
 */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublicIpv4(ipaddr.IPv4.parse(text))
  const ipv6 = inHexadecimal(text)
  return ipv6 !== null && isPublicIpv6(ipaddr.IPv6.parse(ipv6))
}

const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i

/**
 * An IPv6 address without dotted parts, as the URL parser writes it, because the library takes `::8.8.8.8` for
 * `::ffff:8.8.8.8`. Null if it is not an IPv6 address, or has a zone: a zone names an interface, which no public
 * address has.
 */
const inHexadecimal = (text: string): string | null =>
  IPV6_CHARACTERS.test(text) ? (URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) ?? null) : null

/** In a public range, but only reachable inside a cloud: Azure's WireServer. */
const METADATA_IPV4 = new Set(['168.63.129.16'])

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !METADATA_IPV4.has(address.toString())

const isPublicIpv6 = (address: ipaddr.IPv6): boolean => {
  const inner = embeddedIpv4(address)
  if (inner !== null) return isPublicIpv4(inner)
  return address.range() === 'unicast' && isGlobalUnicast(address)
}

/** Only 2000::/3 is allocated; the rest is reserved. */
const isGlobalUnicast = (address: ipaddr.IPv6): boolean => (address.parts[0] ?? 0) >> 13 === 1

const NAT64 = ipaddr.IPv6.parse('64:ff9b::')
const MAPPED = ipaddr.IPv6.parse('::ffff:0:0')
const SIX_TO_FOUR = ipaddr.IPv6.parse('2002::')

/** The IPv4 address that a packet to this address finally reaches; null for none. */
const embeddedIpv4 = (address: ipaddr.IPv6): ipaddr.IPv4 | null => {
  const bytes = address.toByteArray()
  if (address.match(MAPPED, 96) || address.match(NAT64, 96)) return new ipaddr.IPv4(bytes.slice(12))
  return address.match(SIX_TO_FOUR, 16) ? new ipaddr.IPv4(bytes.slice(2, 6)) : null
}
