import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { DeploymentOptions } from '../../src/run/doctor/deployment.ts'
import { examine } from '../../src/run/doctor/examine.ts'
import type { Finding } from '../../src/run/doctor/finding.ts'
import { startReferenceGateway } from '../../src/run/reference/index.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

const startServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return `http://127.0.0.1:${address.port}`
}

const examineGateway = async (
  options: Partial<DeploymentOptions> & Pick<DeploymentOptions, 'baseUrl'>,
): Promise<Map<string, Finding>> => {
  const findings = new Map<string, Finding>()
  for await (const finding of examine({ subject: 'doctor', waitMs: 50, ...options }))
    findings.set(finding.subject, finding)
  return findings
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ status, text: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }) as const

/** A gateway with only the answers that the doctor needs. */
const simulateGateway =
  (stream: RequestListener, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (request, response) => {
    request.resume()
    const { url = '', method, headers: asked } = request
    if (url.endsWith('/events')) {
      stream(request, response)
      return
    }
    const answer =
      asked.authorization !== 'Bearer key'
        ? json(401, { code: 'UNAUTHENTICATED' })
        : method === 'GET'
          ? json(404, { code: 'NOT_FOUND' })
          : url.endsWith('/messages')
            ? json(202, {})
            : json(201, { conversation_id: 'conv_1' })
    response.writeHead(answer.status, { ...answer.headers, ...headers }).end(answer.text)
  }

const ACCESS = { key: 'key', endpointId: 'ep_main' }

it('finds nothing wrong with the reference gateway', async () => {
  const config = await startReferenceGateway({ gatewayDir: resolve(import.meta.dirname, '../../..') })
  endings.push(async () => config.stop?.())
  const { baseUrl, apps, services } = config
  const findings = await examineGateway({ baseUrl, key: apps.first.key, endpointId: services.main })
  expect([...findings.values()].filter(({ kind }) => kind === 'bad')).toEqual([])
  for (const subject of [
    'clock',
    'key',
    'error bodies',
    'compression',
    'buffering',
    'events',
    'resume',
    'stream limit',
  ])
    expect(findings.get(subject)).toMatchObject({ kind: 'good' })
})

it('reports a closed port, and stops', async () => {
  const findings = await examineGateway({ baseUrl: 'http://127.0.0.1:1' })
  expect([...findings.values()]).toMatchObject([{ kind: 'bad', subject: 'reachability' }])
})

it('finds a proxy that replaces error pages', async () => {
  const baseUrl = await startServer((_request, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  )
  const findings = await examineGateway({ baseUrl })
  expect(findings.get('key')).toMatchObject({ kind: 'bad' })
  expect(findings.get('error bodies')).toMatchObject({ kind: 'bad', remedy: expect.stringContaining('error pages') })
  expect(findings.get('event streams')).toMatchObject({ kind: 'unknown' })
})

it.each([
  [20, 'good'],
  [100, 'notice'],
  [600, 'bad'],
] as const)('rates a clock that is %i seconds behind', async (seconds, kind) => {
  const date = new Date(Date.now() - seconds * 1000).toUTCString()
  const baseUrl = await startServer(simulateGateway(() => {}, { date }))
  expect((await examineGateway({ baseUrl })).get('clock')).toMatchObject({ kind })
})

it('finds a proxy that compresses event streams', async () => {
  const baseUrl = await startServer(
    simulateGateway((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).flushHeaders()
    }),
  )
  expect((await examineGateway({ baseUrl, ...ACCESS })).get('compression')).toMatchObject({ kind: 'bad' })
})

it('finds streams that restart instead of resuming, and a stream limit without Retry-After', async () => {
  let open = 0
  const baseUrl = await startServer(
    simulateGateway((_request, response) => {
      open += 1
      response.on('close', () => {
        open -= 1
      })
      if (open > 4) {
        response.writeHead(429, { 'content-type': 'application/json' }).end('{}')
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 1000\n\nid: 1\nevent: run.updated\ndata: {}\n\n')
    }),
  )
  const findings = await examineGateway({ baseUrl, ...ACCESS })
  expect(findings.get('resume')).toMatchObject({ kind: 'bad', remedy: expect.stringContaining('Last-Event-ID') })
  expect(findings.get('stream limit')).toMatchObject({ kind: 'bad', remedy: expect.stringContaining('Retry-After') })
  expect(findings.get('ping')).toMatchObject({ kind: 'notice' })
})
