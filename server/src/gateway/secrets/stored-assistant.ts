import type { Assistant } from '@conversation-gateway/openapi/generated/admin-closed'
import type { SecretBox } from '../../domain/secret-box.ts'
import type { ServiceRef } from './signing-secret.ts'
import type { StoredUrl } from './stored-url.ts'
import { isMasked, isStoredUrl, openUrl, sealUrl, showUrl } from './stored-url.ts'

/**
 * The stored form of assistants: as in the contract, except that the query of an `http` assistant's URL is stored
 * separately, encrypted for its service.
 */

/** The stored form of an assistant, in JSON. */
export type StoredAssistant = Exclude<Assistant, HttpAssistant> | StoredHttp

type HttpAssistant = Extract<Assistant, { readonly type: 'http' }>
/** `sealed_query` is in Base64. */
type StoredHttp = HttpAssistant & { readonly sealed_query?: string }

/** The parts of a `StoredHttp` that contain its URL. */
interface WithUrl {
  readonly url: string
  readonly sealed_query?: string | undefined
}

/** Needs no check: all assistants in the database were validated by the contract, or made by `storeAssistant`. */
const asStored = (stored: unknown): StoredAssistant => stored as StoredAssistant

const queryContext = ({ appId, endpointId }: ServiceRef): string => `service-query:${appId}/${endpointId}`

const urlOf = ({ url, sealed_query }: WithUrl): StoredUrl => ({
  url,
  sealedQuery: sealed_query === undefined ? null : Buffer.from(sealed_query, 'base64'),
})

const withUrl = (assistant: HttpAssistant, { url, sealedQuery }: StoredUrl): StoredHttp => ({
  ...assistant,
  url,
  ...(sealedQuery === null ? {} : { sealed_query: Buffer.from(sealedQuery).toString('base64') }),
})

/** Whether a URL contains the placeholder of a hidden query, but is not the displayed form of the stored URL. */
export const isMaskedUrl = (assistant: Assistant | undefined, stored: unknown): boolean =>
  assistant?.type === 'http' && isMasked(assistant.url) && !isShownUrl(assistant, stored)

const isShownUrl = ({ url }: HttpAssistant, before: unknown): boolean => {
  const stored = asStored(before)
  return stored?.type === 'http' && showUrl(urlOf(stored)) === url
}

/**
 * The stored form of a new assistant. A URL that equals the stored one, or its displayed form, keeps the stored query.
 * @param before The stored assistant; undefined for a new service.
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

/** The form of an assistant for operators and workers. */
export const showAssistant = (before: unknown): Assistant => {
  const stored = asStored(before)
  if (stored.type !== 'http') return stored
  const { sealed_query: _query, ...assistant } = stored
  return { ...assistant, url: showUrl(urlOf(stored)) }
}

/** The URL to post runs to. @throws {SecretBoxError} the key that the query was stored with is missing. */
export const openAssistantUrl = (secrets: SecretBox | null, service: ServiceRef, stored: WithUrl): URL =>
  new URL(openUrl(secrets, queryContext(service), urlOf(stored)))

/**
 * The assistant with its query re-encrypted by `reseal`, which gets the ciphertext and its context. An assistant
 * without a query is returned unchanged.
 */
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
