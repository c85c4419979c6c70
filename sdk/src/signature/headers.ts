import { SignatureError } from './signature-error.ts'

/** Request headers: a `Headers` object, or a plain object with names in any case, as Node's `request.headers`. */
export type SignatureHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** Every value of one header; `name` in lower case. */
export const headerValues = (headers: SignatureHeaders, name: string): readonly string[] => {
  if (isHeaders(headers)) {
    const value = headers.get(name)
    return value === null ? [] : [value]
  }
  return Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
}

/** The value of a header that must occur exactly once. */
export const onlyHeader = (headers: SignatureHeaders, name: string): string => {
  const [value, ...more] = headerValues(headers, name)
  if (value === undefined) {
    throw new SignatureError(
      'missing_header',
      `No ${name} header. Pass the request's own headers, and let proxies in front forward webhook-* headers.`,
    )
  }
  // HTTP stacks join repeated lines with a comma and a space, which no valid value of these headers contains.
  if (more.length > 0 || value.includes(', ')) {
    throw new SignatureError(
      'duplicate_header',
      `More than one value in ${name}. A delivery has exactly one, without spaces.`,
    )
  }
  return value
}

const isHeaders = (headers: SignatureHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'
