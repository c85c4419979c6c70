/** Why the request cannot have reached the gateway. */
export interface NoConnection {
  /** What went wrong, and how to fix a faulty set-up. */
  readonly reason: string
  /** Whether a retry may succeed; a wrong certificate or option stays wrong. */
  readonly isTransient: boolean
}

interface Fault {
  readonly code?: RegExp
  readonly message?: RegExp
}

/**
 * Error codes of Node, Bun and Deno. An established connection that fails is not included, because the request may have
 * arrived.
 */
const UNREACHABLE: readonly Fault[] = [
  { code: /^(UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+)$/ },
  { message: /before secure TLS connection was established$/ },
  { message: /client error \(Connect\)(?!.*certificate)/ },
]

/** Only failures before a request is written. Alerts that a server may also send later are not included. */
const WRONG_SETUP: readonly (Fault & { readonly fix: string })[] = [
  {
    code: /^(CERT_|CRL_|ERROR_IN_C|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED)/,
    fix: 'trust the authority of the certificate (NODE_EXTRA_CA_CERTS in Node), and use the host name that it is for',
  },
  { message: /client error \(Connect\).*certificate/, fix: 'trust the authority of the certificate' },
  {
    code: /^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|TLSV1_(ALERT_PROTOCOL_VERSION|UNRECOGNIZED_NAME))/,
    fix: 'check that the address serves HTTPS, under this name and in this version of TLS',
  },
  {
    message: /^(invalid on[A-Z]\w+ method|agent\.dispatch is not a function)$/,
    fix: 'the dispatcher does not belong to this fetch: take both from the same undici, as in (url, init) => undici.fetch(url, { ...init, dispatcher })',
  },
  {
    message: /^(Proxy response \(\d+\)|Proxy Authentication Required)/,
    fix: 'give the proxy the user and password or the token that it requires',
  },
  { code: /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/, fix: 'check the options and headers that your fetch adds' },
  {
    message:
      /^(Failed to parse URL from |Request constructor: |RequestInit: |Request with GET\/HEAD |Request cannot be constructed |'.+' (is not a valid HTTP method|HTTP method is unsupported)|bad port$|unknown scheme$)/,
    fix: 'check baseUrl, and the address and options that your fetch passes on',
  },
]

/** Interprets an error of `fetch`; null if it does not prove that nothing reached the gateway. */
export function findNoConnection(error: unknown): NoConnection | null {
  if (!(error instanceof Error)) return null
  // One error for each address of the host.
  if (error instanceof AggregateError) {
    const found = error.errors.map(findNoConnection)
    return found.every((each) => each !== null) ? (found[0] ?? null) : null
  }
  const { code, syscall, message, cause } = error as { readonly code?: unknown; readonly syscall?: unknown } & Error
  const isOf = (fault: Fault): boolean => fault.code?.test(String(code)) || fault.message?.test(message) || false
  const reason = message.trim()
  const wrong = WRONG_SETUP.find(isOf)
  if (wrong) return { reason: `${reason}; ${wrong.fix}`, isTransient: false }
  if (syscall === 'connect' || UNREACHABLE.some(isOf)) return { reason, isTransient: true }
  return findNoConnection(cause)
}
