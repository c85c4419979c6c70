import { hash } from 'node:crypto'
import { canonicalJson } from './json/canonical-json.ts'
import type { ScannedJson } from './json/scanned-json.ts'

/** The parts of a request that identify its intention (D-11). */
export interface Intention {
  readonly method: string
  /** The route's template, without the path IDs. */
  readonly route: string
  readonly pathIds: Readonly<Record<string, string>>
  /** Null for a request without a body. */
  readonly body: ScannedJson | null
}

/** SHA-256 over the intention in canonical JSON: key order, white space and escapes do not matter. */
export const fingerprint = ({ method, route, pathIds, body }: Intention): Uint8Array => {
  const target = JSON.stringify([method, route, pathIds])
  const content = body === null ? NO_BODY : canonicalJson(body)
  return hash('sha256', Buffer.concat([Buffer.from(`${target.slice(0, -1)},`), content, END]), 'buffer')
}

const NO_BODY = Buffer.from('null')
const END = Buffer.from(']')

export const equalFingerprints = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
