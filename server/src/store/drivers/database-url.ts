import type { DatabaseTls } from './database-tls.ts'
import { SSL_MODES } from './database-tls.ts'

/** One server that `DATABASE_URL` names. */
export interface DatabaseServer {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  /** The URL of this server alone, as pg reads it. */
  readonly url: string
}

/** The requirement for a server: any, writable, or not a standby. */
export const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'] as const
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number]

export interface DatabaseUrl {
  /** In the order of the URL, in which they are tried. */
  readonly servers: readonly DatabaseServer[]
  readonly attributes: SessionAttributes
  readonly tls: DatabaseTls
  /** The decoded password; empty if the URL has none. */
  readonly password: string
}

/** Why a URL is unusable, phrased as a requirement (`must …`). Never repeats the URL, which contains a password. */
export interface UrlFault {
  readonly fault: string
}

const PARTS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(\?[^#]*)?$/
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::(\d*))?$/i
const DEFAULT_PORT = 5432
const HIGHEST_PORT = 65_535

const FORM: UrlFault = {
  fault:
    'must be postgres://user:password@host:port/database (percent-encode special characters of the password); several servers are host1:port1,host2:port2',
}
const PORTS: UrlFault = { fault: 'must name one port, or as many ports as hosts' }
const ATTRIBUTES: UrlFault = {
  fault: `must have target_session_attrs=${SESSION_ATTRIBUTES.join(', ')} or none: the gateway needs a server that takes writes`,
}

const SSL_MODE: UrlFault = {
  fault: `must have sslmode=${SSL_MODES.join(', ')} or none (or PGSSLMODE, where the URL has none)`,
}
const SSL_FLAG: UrlFault = { fault: 'must have sslmode instead of ssl; ssl=true is the same as sslmode=require' }
const ROOT_CERT: UrlFault = {
  fault: 'must name the trusted certificates with sslrootcert=file, which sslmode=verify-ca needs',
}
const SYSTEM_ROOT: UrlFault = { fault: 'must have sslmode=verify-full where sslrootcert is system' }

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads a connection URL as libpq does: several hosts with ports, or lists in the parameters `host` and `port`, folders
 * of Unix sockets, `sslmode` with its files, and `target_session_attrs`. Unlike in libpq, the default of
 * `target_session_attrs` is `read-write`, and that of `sslmode` is `disable`. Other parameters are passed to pg.
 * @param environment The environment with libpq's variables. Default: the process's.
 */
export const parseDatabaseUrl = (text: string, environment: Environment = process.env): DatabaseUrl | UrlFault => {
  const [whole, user = '', hostList = '', path = '', query = ''] = PARTS.exec(text) ?? []
  if (whole === undefined) return FORM
  const parameters = new URLSearchParams(query)
  const places = readPlaces(hostList, parameters.get('host'), parameters.get('port'))
  if ('fault' in places) return places
  const asked = parameters.get('target_session_attrs') ?? 'read-write'
  const attributes = SESSION_ATTRIBUTES.find((known) => known === asked)
  if (attributes === undefined) return ATTRIBUTES
  const tls = readTls(parameters, environment)
  if ('fault' in tls) return tls
  for (const name of READ_HERE) parameters.delete(name)
  // Otherwise the driver would read it from the environment.
  if (environment.PGREPLICATION) parameters.set('replication', 'false')
  const password = decode(user.slice(user.indexOf(':') + 1 || user.length))
  if (password === null || decode(user) === null) return FORM
  const servers = places.map(({ host, port }) => {
    parameters.set('host', host)
    parameters.set('port', String(port))
    return { host, port, url: `postgres://${user}@server${path}?${parameters}` }
  })
  return servers.every(({ url }) => URL.canParse(url)) ? { servers, attributes, tls, password } : FORM
}

/** Parameters to hide from pg, which would interpret them differently. */
const READ_HERE = [
  'target_session_attrs',
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'],
  ...['client_encoding', 'replication'],
]

const readTls = (parameters: URLSearchParams, environment: Environment): DatabaseTls | UrlFault => {
  const read = (name: string): string | null => parameters.get(name) || environment[`PG${name.toUpperCase()}`] || null
  const ssl = parameters.get('ssl')
  if (ssl !== null && ssl !== 'true') return SSL_FLAG
  const given = parameters.get('sslmode') ?? (ssl === null ? read('sslmode') : 'require') ?? 'disable'
  const mode = SSL_MODES.find((known) => known === given)
  if (mode === undefined) return SSL_MODE
  const rootCert = read('sslrootcert')
  if (mode === 'verify-ca' && rootCert === null) return ROOT_CERT
  if (rootCert === 'system' && mode !== 'verify-full' && mode !== 'disable') return SYSTEM_ROOT
  return { mode, rootCert, cert: read('sslcert'), key: read('sslkey') }
}

interface Place {
  readonly host: string
  readonly port: number
}

const readPlaces = (hostList: string, hosts: string | null, ports: string | null): readonly Place[] | UrlFault => {
  const listed = (hosts ?? hostList)
    .split(',')
    .map((text) => (hosts === null ? HOST_AND_PORT.exec(text) : [text, text]))
  const given = ports?.split(',')
  if (given !== undefined && given.length !== 1 && given.length !== listed.length) return PORTS
  const places: Place[] = []
  for (const [index, match] of listed.entries()) {
    const [, name = '', ownPort] = match ?? []
    const host = decode(name)?.replace(/^\[(.*)\]$/, '$1') ?? ''
    const portText = (given?.length === 1 ? given[0] : given?.[index]) || ownPort || String(DEFAULT_PORT)
    const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0
    if (host === '' || port < 1 || port > HIGHEST_PORT) return FORM
    places.push({ host, port })
  }
  return places
}

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
