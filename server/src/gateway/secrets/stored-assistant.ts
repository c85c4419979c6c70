import type { Assistant } from '@conversation-gateway/openapi/generated/admin-closed'
import type { SecretBox } from '../../domain/secret-box.ts'
import type { ServiceRef } from './service-secret.ts'
import type { StoredUrl } from './stored-url.ts'
import { isMasked, isStoredUrl, openUrl, sealUrl, showUrl } from './stored-url.ts'

/**
 * Assistants as they are stored: as the contract has them, but for the query of an `http` assistant's URL, which stands beside
 * the URL, encrypted for its service.
 */

/** An assistant as it is stored, in JSON. */
export type StoredAssistant = Exclude<Assistant, HttpAssistant> | StoredHttp

type HttpAssistant = Extract<Assistant, { readonly type: 'http' }>
/** `sealed_query`: in Base64. */
type StoredHttp = HttpAssistant & { readonly sealed_query?: string }

/** The URL of a `StoredHttp`. */
interface WithQuery {
  readonly url: string
  readonly sealed_query?: string | undefined
}

/** Assistants come into the database through `storeAssistant` only. */
const asStored = (stored: unknown): StoredAssistant => stored as StoredAssistant

const queryContext = ({ appId, endpointId }: ServiceRef): string => `service-query:${appId}/${endpointId}`

const urlOf = ({ url, sealed_query }: WithQuery): StoredUrl => ({
  url,
  sealedQuery: sealed_query === undefined ? null : Buffer.from(sealed_query, 'base64'),
})

const withUrl = (assistant: HttpAssistant, { url, sealedQuery }: StoredUrl): StoredHttp => ({
  ...assistant,
  url,
  ...(sealedQuery === null ? {} : { sealed_query: Buffer.from(sealedQuery).toString('base64') }),
})

/** Why an assistant's URL was copied from where its query is not shown, and is another one. */
export const isMaskedUrl = (assistant: Assistant | undefined, stored: unknown): boolean =>
  assistant?.type === 'http' && isMasked(assistant.url) && !isShownUrl(assistant, stored)

const isShownUrl = ({ url }: HttpAssistant, before: unknown): boolean => {
  const stored = asStored(before)
  return stored?.type === 'http' && showUrl(urlOf(stored)) === url
}

/**
 * An assistant as it is to be stored. A URL that is the stored one, or stands as that is shown, stays as it is stored.
 * @param before What is stored; undefined for a new service.
 */
export const storeAssistant = (
  secrets: SecretBox,
  service: ServiceRef,
  assistant: HttpAssistant,
  before?: unknown,
): StoredHttp => {
  const stored = asStored(before)
  const context = queryContext(service)
  if (stored?.type === 'http') {
    const url = urlOf(stored)
    const isShown = isMasked(assistant.url) && isShownUrl(assistant, stored)
    if (isShown || isStoredUrl(secrets, context, url, assistant.url)) return withUrl(assistant, url)
  }
  return withUrl(assistant, sealUrl(secrets, context, assistant.url))
}

/** An assistant as operators and workers see it. */
export const showAssistant = (before: unknown): Assistant => {
  const stored = asStored(before)
  if (stored.type !== 'http') return stored
  const { sealed_query: _query, ...assistant } = stored
  return { ...assistant, url: showUrl(urlOf(stored)) }
}

/** Where runs are posted. @throws {SecretBoxError} there is no key, or not the one that the query was stored with. */
export const openAssistantUrl = (secrets: SecretBox | null, service: ServiceRef, stored: WithQuery): URL =>
  new URL(openUrl(secrets, queryContext(service), urlOf(stored)))

/** The assistant with its query sealed anew by `reseal`, which is given what is sealed and for what; the same without one. */
export const resealAssistant = (
  service: ServiceRef,
  before: unknown,
  reseal: (context: string, sealed: Uint8Array) => Uint8Array,
): unknown => {
  const stored = asStored(before)
  if (stored.type !== 'http') return stored
  const { url, sealedQuery } = urlOf(stored)
  return withUrl(stored, { url, sealedQuery: sealedQuery && reseal(queryContext(service), sealedQuery) })
}
