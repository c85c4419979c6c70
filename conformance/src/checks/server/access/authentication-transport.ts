import assert from 'node:assert/strict'
import { request } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { utf8Header } from '../../../kit/utf8-header.ts'

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

/** Connection timeout; only an address that drops packets reaches it. */
const CONNECT_MS = 3000

/** The status of a bearer route over plain HTTP at this address; null if there is no answer. */
const statusByPlainHttp = ({ me, config }: ServerContext, host: string, port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const outgoing = request(
      {
        host,
        port,
        path: `/api/v1/conversations?endpoint_id=${config.services.main}`,
        headers: { 'x-service-subject': utf8Header(me.subject) },
        timeout: CONNECT_MS,
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    outgoing.on('timeout', () => outgoing.destroy())
    outgoing.on('close', () => resolve(null))
    outgoing.on('error', () => resolve(null))
    outgoing.end()
  })

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

export const checks: readonly ServerCheck[] = [
  {
    id: 'authentication/https-from-elsewhere',
    title: 'the API cannot be reached over plain HTTP from other machines',
    rules: ['AUTH-04'],
    tags: ['security'],
    run: async (t) => {
      const url = new URL(t.config.baseUrl)
      await t.conversation()
      if (!isLoopback(url.hostname)) {
        assert.equal(url.protocol, 'https:', `${url.hostname} is not a loopback address: the key is sent unencrypted`)
        const status = await statusByPlainHttp(t, url.hostname.replace(/^\[|\]$/g, ''), portOf(url))
        assert.ok(status === null || status === 400 || (status >= 301 && status <= 308), `plain HTTP got ${status}`)
        return
      }
      const addresses = Object.values(networkInterfaces())
        .flatMap((entries) => entries ?? [])
        .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))
      if (addresses.length === 0) t.untestable('this machine has no address at which others could reach the gateway')
      for (const { address } of addresses) {
        const status = await statusByPlainHttp(t, address, portOf(url))
        assert.equal(status, null, `the gateway answers plain HTTP at ${address}, which other machines can reach`)
      }
    },
  },
  {
    id: 'authentication/loopback-http',
    title: 'a gateway at a loopback address may be reached over plain HTTP',
    rules: ['AUTH-05'],
    run: async (t) => {
      const { protocol, hostname } = new URL(t.config.baseUrl)
      if (protocol !== 'http:' || !isLoopback(hostname))
        t.untestable('the configured base URL is not plain HTTP at a loopback address')
      await t.conversation()
    },
  },
]
