export type AnswerHeaders = Readonly<Record<string, string>>

/** How long a browser asks for nothing but HTTPS after it has been here, in seconds. */
const HTTPS_SECONDS = 365 * 24 * 3600

/**
 * What every answer says unless it says otherwise of itself: that it is kept by nobody, because it may hold keys, secrets
 * and what customers wrote, and that it is of no type but its own.
 * @param httpsOnly Whether there is nothing but HTTPS here; then browsers are told.
 */
export const answerHeaders = (httpsOnly: boolean): AnswerHeaders => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(httpsOnly ? { 'strict-transport-security': `max-age=${HTTPS_SECONDS}` } : {}),
})
