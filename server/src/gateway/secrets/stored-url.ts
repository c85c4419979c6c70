import type { SecretBox } from '../../domain/secret-box.ts'
import { openOrNull, SecretBoxError } from '../../domain/secret-box.ts'

/** The stored form of a URL: the query, which may contain a token, is encrypted for its owner (D-36). */
export interface StoredUrl {
  /** Without its query. Older rows contain the query here and have no encrypted one. */
  readonly url: string
  readonly sealedQuery: Uint8Array | null
}

/** The placeholder of a hidden query. */
const MASK = '?***'

/** The context of a callback's query. */
export const urlQueryContext = (callbackId: string): string => `callback-query:${callbackId}`

const splitQuery = (url: string): readonly [url: string, query: string] => {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)]
}

export const sealUrl = (secrets: SecretBox, context: string, whole: string): StoredUrl => {
  const [url, query] = splitQuery(whole)
  return { url, sealedQuery: query === '' ? null : secrets.seal(query, context) }
}

/** The whole URL. @throws {SecretBoxError} the key that the query was stored with is missing. */
export const openUrl = (secrets: SecretBox | null, context: string, { url, sealedQuery }: StoredUrl): string => {
  if (sealedQuery === null) return url
  if (secrets === null)
    throw new SecretBoxError('GATEWAY_SECRET_KEY is not set, so the query of the stored URL cannot be read.')
  return `${url}${secrets.open(sealedQuery, context)}`
}

/** Whether a URL is the stored one. Also false if the stored one cannot be decrypted, so that it gets replaced. */
export const isStoredUrl = (secrets: SecretBox | null, context: string, stored: StoredUrl, url: string): boolean => {
  if (stored.sealedQuery === null) return stored.url === url
  const query = secrets && openOrNull(secrets, stored.sealedQuery, context)
  return query !== null && `${stored.url}${query}` === url
}

/** The URL as displayed to operators. */
export const showUrl = ({ url, sealedQuery }: StoredUrl): string => {
  const [shown, query] = splitQuery(url)
  return sealedQuery === null && query === '' ? shown : `${shown}${MASK}`
}

/** Whether a URL ends with the placeholder of a hidden query. */
export const isMasked = (url: string): boolean => url.endsWith(MASK)

/** Encrypts the query of an older row, if there is a key. Other rows stay as they are. */
export const withSealedQuery = (secrets: SecretBox | null, context: string, stored: StoredUrl): StoredUrl => {
  const { url, sealedQuery } = stored
  return secrets === null || sealedQuery !== null || !url.includes('?') ? stored : sealUrl(secrets, context, url)
}
