import { isLoopback } from '../client/options.ts'

/** Checks a webhook's receiving URL; throws a `TypeError` that says what is wrong with it. */
export const parseReceivingUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('url must be the whole receiving URL that the gateway shows when the webhook is saved.')
  }
  if (url.pathname === '/') {
    throw new TypeError(`url is only the origin ${url.origin}: use the whole receiving URL, with the webhook's ID.`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('url must not hold a user, password, query or fragment.')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError(`url must use https: over http the events to ${url.hostname} would be readable on the way.`)
  }
  return url.href
}
