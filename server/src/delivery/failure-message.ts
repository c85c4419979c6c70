const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  EHOSTUNREACH: 'There is no route to the receiver.',
  ENETUNREACH: 'There is no route to the receiver.',
  ETIMEDOUT: 'The connection timed out.',
  ENOTFOUND: 'The host of the URL has no address.',
  ENODATA: 'The host of the URL has no address.',
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another name.",
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
}

/** Matches OpenSSL's error codes for invalid certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|VERIFY_LEAF|ISSUER/

/** The message for a failed connection, chosen by its code; it contains no text from the other side. */
export const failureMessage = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === null) return 'The connection failed.'
  const known = MESSAGES[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return `The receiver's answer is not HTTP (${code}).`
  return CERTIFICATE.test(code)
    ? `The receiver's certificate cannot be trusted (${code}).`
    : `The connection failed (${code}).`
}
