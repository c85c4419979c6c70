import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseArgs } from 'node:util'
import { originOf } from '../origin.ts'
import { PROGRAM, readArguments, StartRefused } from '../program.ts'
import type { Config } from '../settings/config.ts'
import { requireConfig } from '../settings/config.ts'

const TIMEOUT_MS = 2500

const HELP = `Usage: ${PROGRAM} health [--ready] [--url <origin>]

Asks the gateway that runs with these settings whether it is alive. Exits with 0 if it is, and with 1 if it is not or
does not answer within ${TIMEOUT_MS / 1000} s. GATEWAY_HOST, GATEWAY_PORT and GATEWAY_TLS_CERT give its address.

  --ready         Asks whether it is ready, not only alive. It is not ready while its database is unavailable.
  --url <origin>  The address of the gateway. Required if GATEWAY_PORT is 0.
  --help          Prints this text.
`

/** Runs the health check of this machine's gateway, and gives its exit code. */
export const runHealth = async (args: string[]): Promise<number> => {
  const { help, ready, url } = readArguments(HELP, () => parseArguments(args))
  if (help) {
    process.stdout.write(HELP)
    return 0
  }
  const probe = `${url ?? findOrigin(process.env)}${ready ? '/readyz' : '/healthz'}`
  const answer = await ask(probe).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  if (answer === 200) {
    process.stdout.write(`${probe} answered 200: the gateway is ${ready ? 'ready' : 'alive'}.\n`)
    return 0
  }
  const why = answer instanceof Error ? `did not answer: ${answer.message || answer.name}` : `answered ${answer}`
  process.stderr.write(`${probe} ${why}.\n`)
  return 1
}

const parseArguments = (args: string[]) => {
  const off = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args,
    options: { help: { ...off, short: 'h' }, ready: off, url: { type: 'string' } },
  })
  const url = values.url === undefined ? undefined : URL.parse(values.url)
  if (url === null || (url !== undefined && !/^https?:$/.test(url.protocol)))
    throw new Error('--url must be an origin such as http://127.0.0.1:8787')
  return { ...values, url: url?.origin }
}

const findOrigin = (environment: NodeJS.ProcessEnv): string => {
  const { config } = requireConfig(environment)
  if (config.port === 0) throw new StartRefused('GATEWAY_PORT is 0, so the port is unknown: use --url.')
  return probedOrigin(config)
}

/** The address of the gateway for this machine: a wildcard address is not a valid destination on every system. */
export const probedOrigin = ({ host, port, tlsCert }: Pick<Config, 'host' | 'port' | 'tlsCert'>): string =>
  originOf(tlsCert !== undefined, host === '0.0.0.0' ? '127.0.0.1' : /^[:0]*$/.test(host) ? '::1' : host, port)

const ask = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    // Do not verify the certificate, which is for the public name. The request contains no secret.
    const options = { agent: false, rejectUnauthorized: false }
    const request = url.startsWith('https:') ? requestHttps(url, options) : requestHttp(url, options)
    const deadline = setTimeout(() => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS)
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      clearTimeout(deadline)
      request.destroy()
    })
    request.on('error', (error) => {
      clearTimeout(deadline)
      reject(error)
    })
    request.end()
  })
