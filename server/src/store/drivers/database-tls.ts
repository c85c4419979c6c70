import { readFileSync } from 'node:fs'
import type { ConnectionOptions, PeerCertificate } from 'node:tls'
import { checkServerIdentity } from 'node:tls'

/** The modes of libpq. `allow` is treated as `prefer`. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

/** How connections to PostgreSQL are encrypted. The certificates and the key are paths of files. */
export interface DatabaseTls {
  readonly mode: SslMode
  /** A file of certificates to trust, or `system` for those of Node, which `verify-full` also uses if this is null. */
  readonly rootCert: string | null
  readonly cert: string | null
  readonly key: string | null
}

/**
 * The attempts to connect to a server, in order: TLS with these options, or false for plain text. Reads the files again
 * each time, so that certificates can be replaced. @throws if a file cannot be read.
 */
export const tlsAttempts = (
  { mode, rootCert, cert, key }: DatabaseTls,
  host: string,
): readonly (ConnectionOptions | false)[] => {
  if (mode === 'disable' || host.startsWith('/')) return [false]
  const isVerified = mode.startsWith('verify') || (mode === 'require' && rootCert !== null)
  const isNameChecked = mode === 'verify-full'
  const options: ConnectionOptions = {
    rejectUnauthorized: isVerified,
    // The driver sets the server name for host names only; an address would be compared with `localhost`.
    checkServerIdentity: (_name: string, peer: PeerCertificate) =>
      isNameChecked ? checkServerIdentity(host, peer) : undefined,
    ...(rootCert === null || rootCert === 'system' ? {} : { ca: readFileSync(rootCert, 'utf8') }),
    ...(cert === null ? {} : { cert: readFileSync(cert, 'utf8') }),
    ...(key === null ? {} : { key: readFileSync(key, 'utf8') }),
  }
  return mode === 'allow' || mode === 'prefer' ? [options, false] : [options]
}

/** pg's message for a server without TLS. */
const NO_TLS = 'The server does not support SSL connections'

/** Connects with the first attempt that the server supports. */
export const withTls = async <T>(
  tls: DatabaseTls,
  host: string,
  connect: (ssl: ConnectionOptions | false) => Promise<T>,
): Promise<T> => {
  const [first = false, second] = tlsAttempts(tls, host)
  try {
    return await connect(first)
  } catch (error) {
    if (second === undefined || !saysNoTls(error)) throw error
    return connect(second)
  }
}

const saysNoTls = (error: unknown): boolean =>
  error instanceof Error && (error.message === NO_TLS || saysNoTls(error.cause))
