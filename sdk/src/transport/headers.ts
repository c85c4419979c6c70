import { TOKEN } from '../replay-handle.ts'

/** Headers that the client sets itself. */
const OWN = /^(accept|authorization|content-type|idempotency-key|last-event-id|x-request-id|x-service-subject)$/i

/** Headers that the client sets itself are refused rather than silently replaced. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.keys(headers).find((name) => OWN.test(name))
  if (own) throw new TypeError(`headers may not set ${own}: the client does, from its options and the call's.`)
  return headers
}

/** Idempotency keys and request IDs. Throws a `TypeError` that names the option. */
export function checkToken(name: string, value: string): string {
  if (TOKEN.test(value)) return value
  throw new TypeError(`${name} must be 1-128 visible ASCII characters.`)
}

/** Throws a `TypeError` for a subject that the gateway would refuse (D-03, D-54). */
export function checkSubject(subject: string): string {
  if (/^[^\s\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}]{0,254}[^\s\p{Cc}\p{Cs}])?$/u.test(subject)) return subject
  throw new TypeError('subject must be 1-256 characters long, without control characters, and with spaces only inside.')
}

/** Encodes a text as a header value: one character for each UTF-8 byte, as `fetch` expects bytes. */
export function utf8Header(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : String.fromCharCode(...new TextEncoder().encode(text))
}
