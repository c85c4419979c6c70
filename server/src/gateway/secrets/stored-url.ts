import type { SecretBox } from '../../domain/secret-box.ts'
import { SecretBoxError } from '../../domain/secret-box.ts'

/** A URL as it is stored: the query, which may hold a token, is sealed for what it belongs to (D-36). */
export interface StoredUrl {
  /** Without its query; in rows from before with it, and then there is no sealed one. */
  readonly url: string
  readonly sealedQuery: Uint8Array | null
}

/** Stands for a query that is not shown. */
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

/** The whole URL. @throws {SecretBoxError} there is no key, or not the one that the query was stored with. */
export const openUrl = (secrets: SecretBox | null, context: string, { url, sealedQuery }: StoredUrl): string => {
  if (sealedQuery === null) return url
  if (secrets === null)
    throw new SecretBoxError('GATEWAY_SECRET_KEY is not set, so the query of the stored URL cannot be read.')
  return `${url}${secrets.open(sealedQuery, context)}`
}

/** Whether a URL is the stored one. False also where that cannot be read, and another one is just what is needed. */
export const isStoredUrl = (secrets: SecretBox | null, context: string, stored: StoredUrl, url: string): boolean => {
  try {
    return openUrl(secrets, context, stored) === url
  } catch (error) {
    if (error instanceof SecretBoxError) return false
    throw error
  }
}

/** The URL as an operator sees it. */
export const showUrl = ({ url, sealedQuery }: StoredUrl): string => {
  const [shown, query] = splitQuery(url)
  return sealedQuery === null && query === '' ? shown : `${shown}${MASK}`
}

/** Whether a URL was copied from where its query is not shown. */
export const isMasked = (url: string): boolean => url.endsWith(MASK)

/** Seals the query of a URL that was stored before queries were. */
export const withSealedQuery = (secrets: SecretBox | null, context: string, stored: StoredUrl): StoredUrl => {
  const { url, sealedQuery } = stored
  return secrets === null || sealedQuery !== null || !url.includes('?') ? stored : sealUrl(secrets, context, url)
}
