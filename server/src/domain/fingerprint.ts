import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** What makes two requests the same intention (D-11). */
export interface Intention {
  readonly method: string
  /** The route's template, so that path IDs count once, as values. */
  readonly route: string
  readonly pathIds: Readonly<Record<string, string>>
  readonly body: unknown
}

/** SHA-256 over the canonical JSON of the intention (RFC 8785): key order and white space do not matter. */
export const fingerprint = ({ method, route, pathIds, body }: Intention): Uint8Array => {
  const canonical = canonicalize([method, route, pathIds, body])
  if (canonical === undefined) throw new TypeError('an intention is always JSON')
  return hash('sha256', canonical, 'buffer')
}

export const equalFingerprints = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
