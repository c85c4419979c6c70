import type { Gateway } from './build-gateway.ts'
import { OPERATOR_HOST, originOf } from './origin.ts'
import { StartRefused } from './program.ts'
import type { Config } from './settings/config.ts'
import { isLoopback } from './settings/setting-values.ts'

type Http = Gateway['http']

/** The origins of a gateway. */
export interface Addresses {
  readonly baseUrl: string
  /** Null if operators have no separate address. */
  readonly operatorUrl: string | null
}

/**
 * Lets a gateway listen on the addresses of its settings.
 * @throws {StartRefused} an address is not available.
 */
export const listen = async (gateway: Gateway, config: Config): Promise<Addresses> => {
  const { http, operatorHttp } = gateway
  if (operatorHttp !== null)
    await listenOn(operatorHttp, operatorHostOf(config), config.operatorPort ?? 0, 'GATEWAY_OPERATOR')
  await listenOn(http, config.host, config.port, 'GATEWAY')
  return { baseUrl: baseUrlOf(config, http), operatorUrl: operatorHttp && operatorUrlOf(config, operatorHttp) }
}

/** The origin under which clients reach a gateway. */
export const baseUrlOf = ({ publicUrl, host, port, tlsCert }: Config, http: Http): string =>
  publicUrl ?? originOf(tlsCert !== undefined, host, portOf(http) ?? port)

/** Whether clients can reach a gateway over HTTPS only: it terminates TLS itself, or a proxy does. */
export const isHttpsOnly = ({ tlsCert, behindProxy, publicUrl = '' }: Config): boolean =>
  tlsCert !== undefined || (behindProxy && publicUrl.startsWith('https:'))

/** Whether operators are served with TLS if the gateway has a certificate: on every address except loopback. */
export const hasOperatorTls = (config: Config): boolean => !isLoopback(operatorHostOf(config))

const operatorHostOf = ({ operatorHost = OPERATOR_HOST }: Config): string => operatorHost

const operatorUrlOf = (config: Config, http: Http): string =>
  originOf(config.tlsCert !== undefined && hasOperatorTls(config), operatorHostOf(config), portOf(http) ?? 0)

/** The port that a server listens on; null while it does not listen. */
const portOf = ({ server }: Http): number | null => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : null
}

/** @param settings the names of the settings for host and port, without `_HOST` and `_PORT`. */
const listenOn = async (http: Http, host: string, port: number, settings: string): Promise<void> => {
  await http.listen({ host, port }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EADDRINUSE')
      throw new StartRefused(`${host}:${port} is in use. Stop the program that listens there, or set ${settings}_PORT.`)
    if (code === 'EACCES')
      throw new StartRefused(
        `This user may not listen on ${host}:${port}. Set ${settings}_PORT to a port from 1024 on.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartRefused(
        `${host} is not an address of this machine (${code}). Set ${settings}_HOST to one that is.`,
      )
    throw error
  })
}
