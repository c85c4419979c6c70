import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OPERATOR_HOST, originOf } from '../app/origin.ts'
import type { Environment } from '../app/settings/environment.ts'
import { isLoopback, publicOrigin, token as tokenSetting } from '../app/settings/setting-values.ts'

/** The address and the operator token of the gateway. */
export interface Connection {
  readonly origin: string
  readonly token: string
}

export type ConnectionReading = { readonly connection: Connection } | { readonly fault: string }

const DEFAULT_PORT = '8787'
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_DATA_DIR = '.data'

/**
 * The address from `--url`, GATEWAY_OPERATOR_HOST and GATEWAY_OPERATOR_PORT, GATEWAY_PUBLIC_URL, GATEWAY_BASE_URL or,
 * on this machine, GATEWAY_PORT; the token from GATEWAY_ADMIN_TOKEN or, for a gateway on this machine, from the file
 * that it keeps beside its embedded database. Faults contain no values, which may be secret.
 */
export const readConnection = async (
  url: string | null,
  environment: Environment,
  directory: string,
): Promise<ConnectionReading> => {
  const [name, text] = addressOf(url, environment)
  const address = publicOrigin.safeParse(text)
  if (!address.success) return { fault: `${name} ${address.error.issues[0]?.message}` }
  const origin = address.data
  const given = environment.GATEWAY_ADMIN_TOKEN
  if (given) return accept(origin, given, 'GATEWAY_ADMIN_TOKEN')
  if (!isLoopback(new URL(origin).hostname)) return { fault: `GATEWAY_ADMIN_TOKEN must be set to use ${origin}` }
  const file = join(resolve(directory, environment.GATEWAY_DATA_DIR || DEFAULT_DATA_DIR), 'admin-token')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null) return accept(origin, kept.trim(), file)
  return {
    fault: `no admin token found: set GATEWAY_ADMIN_TOKEN, or GATEWAY_DATA_DIR to the folder in which the gateway keeps the token that it created (${file} cannot be read)`,
  }
}

const addressOf = (url: string | null, environment: Environment): readonly [string, string] => {
  if (url !== null) return ['--url', url]
  const { GATEWAY_OPERATOR_PORT: operatorPort, GATEWAY_PORT: port } = environment
  if (operatorPort) {
    const host = environment.GATEWAY_OPERATOR_HOST || OPERATOR_HOST
    // A loopback address is served without TLS.
    return ['GATEWAY_OPERATOR_HOST and GATEWAY_OPERATOR_PORT', originOf(!isLoopback(host), host, operatorPort)]
  }
  for (const name of ['GATEWAY_PUBLIC_URL', 'GATEWAY_BASE_URL']) {
    const text = environment[name]
    if (text) return [name, text]
  }
  return [port ? 'GATEWAY_PORT' : 'the default address', originOf(false, DEFAULT_HOST, port || DEFAULT_PORT)]
}

const accept = (origin: string, token: string, source: string): ConnectionReading => {
  const reading = tokenSetting.safeParse(token)
  return reading.success
    ? { connection: { origin, token: reading.data } }
    : { fault: `${source} ${reading.error.issues[0]?.message}` }
}
