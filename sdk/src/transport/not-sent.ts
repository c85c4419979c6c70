/** Why no connection came about. Nothing of the request has left this machine, whatever it was. */
export interface NoConnection {
  readonly reason: string
  /** Whether it may be had later without anybody's help; a certificate that is wrong stays so. */
  readonly isPassing: boolean
}

/** Of Node and Bun. What fails on a connection that stood is not among them: the request may have arrived. */
const UNREACHABLE = /^(UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/
const BAD_CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)_|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION)/

/** Reads what `fetch` rejected with; null when it does not prove that nothing was sent. */
export function findNoConnection(error: unknown): NoConnection | null {
  if (!(error instanceof Error)) return null
  // One error for each address of the host.
  if (error instanceof AggregateError) {
    const found = error.errors.map(findNoConnection)
    return found.every((each) => each !== null) ? (found[0] ?? null) : null
  }
  const { code, syscall, cause } = error as { readonly code?: unknown; readonly syscall?: unknown } & Error
  const isBadCertificate = BAD_CERTIFICATE.test(String(code))
  if (isBadCertificate || UNREACHABLE.test(String(code)) || syscall === 'connect')
    return { reason: error.message, isPassing: !isBadCertificate }
  return findNoConnection(cause)
}
