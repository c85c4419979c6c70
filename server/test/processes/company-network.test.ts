import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, TEST_BOOTSTRAP, writeBootstrap } from '../support/bootstrap-file.ts'
import { createClient, ended } from '../support/client.ts'
import { startGateway } from '../support/gateway-process.ts'
import { listen } from '../support/listen.ts'
import { DONE, frame } from '../support/model-server.ts'

/** A gateway in a network with a proxy for the internet, and with a certificate authority that Node does not know. */

const CERTIFICATE = fileURLToPath(new URL('../support/tls/cert.pem', import.meta.url))
const KEY = fileURLToPath(new URL('../support/tls/key.pem', import.meta.url))

let model: Server
let proxy: Server
/** The targets that clients of the proxy requested. */
const tunnels: string[] = []

beforeAll(async () => {
  model = createHttps({ cert: await readFile(CERTIFICATE), key: await readFile(KEY) }, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frame('Hello', 'stop') + DONE)
  })
  proxy = createHttp().on('connect', (request, client) => {
    tunnels.push(request.url ?? '')
    const upstream = connect(portOf(model), '127.0.0.1', () =>
      client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    )
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => {})
  })
  for (const server of [model, proxy]) await listen(server)
})
afterAll(() => {
  for (const server of [model, proxy]) {
    server.closeAllConnections()
    server.close()
  }
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Starts a gateway with these variables and returns a finished run of a model at this address. */
const askModel = async (baseUrl: string, variables: Readonly<Record<string, string>>) => {
  const service = { endpoint_id: 'ep_model', app_id: 'app_test', device_id: 'dev_test' }
  const assistant = { type: 'openai', base_url: baseUrl, model: 'm' }
  const bootstrap = { ...TEST_BOOTSTRAP, endpoints: [{ ...service, assistant }] }
  const gateway = await startGateway({
    GATEWAY_DATA_DIR: await mkdtemp(join(tmpdir(), 'gateway-company-')),
    GATEWAY_BOOTSTRAP: await writeBootstrap(bootstrap),
    ...variables,
  })
  try {
    const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
    const { body } = await client.createConversation({ endpoint_id: 'ep_model' })
    return await ended(client, (await client.send(body.conversation_id, { text: 'Hello' })).body.run_id)
  } finally {
    await gateway.stop()
  }
}

test('a gateway reaches a model through the proxy in its environment, and trusts the authority in NODE_EXTRA_CA_CERTS', async () => {
  const run = await askModel('https://localhost:443/v1', {
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  })
  expect(run).toMatchObject({ state: 'succeeded', result: { text: 'Hello' } })
  expect(tunnels).toEqual(['localhost:443'])
})

test('a gateway connects directly to a model that NO_PROXY names', async () => {
  tunnels.length = 0
  const run = await askModel(`https://localhost:${portOf(model)}/v1`, {
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    NO_PROXY: 'localhost',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  })
  expect([run.state, tunnels]).toEqual(['succeeded', []])
})

test('a gateway reports that the certificate of a model has an unknown authority', async () => {
  const run = await askModel(`https://localhost:${portOf(model)}/v1`, {})
  const message = expect.stringContaining('(DEPTH_ZERO_SELF_SIGNED_CERT)')
  expect(run).toMatchObject({ state: 'failed', result: { error: { code: 'UPSTREAM_UNAVAILABLE', message } } })
})
