/** One server that `DATABASE_URL` names. */
export interface DatabaseServer {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  /** The URL of this server alone, as pg reads it. */
  readonly url: string
}

/** What a server must be like to be used: any one, one that takes writes, or one that is no standby. */
export const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'] as const
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number]

export interface DatabaseUrl {
  /** In the order of the URL, which is the order in which they are asked. */
  readonly servers: readonly DatabaseServer[]
  readonly attributes: SessionAttributes
  /** As it is sent, decoded; empty where there is none. */
  readonly password: string
}

/** Why a text is no usable URL, as what it must be. Never repeats it, since it holds a password. */
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

/**
 * Reads a connection URL as libpq does: several hosts with ports, or lists in the parameters `host` and `port`, folders
 * of Unix sockets, and `target_session_attrs`, which is `read-write` where it is absent. Other parameters are pg's.
 */
export const parseDatabaseUrl = (text: string): DatabaseUrl | UrlFault => {
  const [whole, user = '', hostList = '', path = '', query = ''] = PARTS.exec(text) ?? []
  if (whole === undefined) return FORM
  const parameters = new URLSearchParams(query)
  const places = readPlaces(hostList, parameters.get('host'), parameters.get('port'))
  if ('fault' in places) return places
  const asked = parameters.get('target_session_attrs') ?? 'read-write'
  const attributes = SESSION_ATTRIBUTES.find((known) => known === asked)
  if (attributes === undefined) return ATTRIBUTES
  parameters.delete('target_session_attrs')
  const password = decode(user.slice(user.indexOf(':') + 1 || user.length))
  if (password === null || decode(user) === null) return FORM
  const servers = places.map(({ host, port }) => {
    parameters.set('host', host)
    parameters.set('port', String(port))
    return { host, port, url: `postgres://${user}@server${path}?${parameters}` }
  })
  return servers.every(({ url }) => URL.canParse(url)) ? { servers, attributes, password } : FORM
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
