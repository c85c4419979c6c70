/** Headers that the client sets itself. */
const OWN = /^(accept|authorization|content-type|idempotency-key|last-event-id|x-request-id|x-service-subject)$/i

/** Headers that the client sets itself are refused rather than silently replaced. */
export function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.keys(headers).find((name) => OWN.test(name))
  if (own) throw new TypeError(`headers may not set ${own}: the client does, from its options and the call's.`)
  return headers
}

/** 1-128 visible ASCII characters without spaces. */
export const TOKEN = /^[\x21-\x7e]{1,128}$/

/** Idempotency keys and request IDs. Throws a `TypeError` that names the option. */
export function checkToken(name: string, value: string): string {
  if (TOKEN.test(value)) return value
  throw new TypeError(`${name} must be 1-128 visible ASCII characters.`)
}

/** Throws a `TypeError` for a subject that the gateway would refuse (D-03) or that a header cannot carry. */
export function checkSubject(subject: string): string {
  if (/^[\x21-\x7e\xa1-\xff](?:[\x20-\x7e\xa1-\xff]{0,254}[\x21-\x7e\xa1-\xff])?$/.test(subject)) return subject
  throw new TypeError('subject must be 1-256 visible Latin-1 characters, with spaces only inside.')
}
