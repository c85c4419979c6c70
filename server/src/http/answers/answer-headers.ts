export type AnswerHeaders = Readonly<Record<string, string>>

/** HSTS max-age, in seconds. */
const HTTPS_SECONDS = 365 * 24 * 3600

/**
 * Default headers of every answer: no caching, because it may contain keys, secrets and customers' texts, and no
 * content sniffing.
 * @param httpsOnly Whether to send HSTS, because the gateway is reachable by HTTPS only.
 */
export const answerHeaders = (httpsOnly: boolean): AnswerHeaders => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(httpsOnly ? { 'strict-transport-security': `max-age=${HTTPS_SECONDS}` } : {}),
})
