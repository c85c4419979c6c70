import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { serverChecks } from '../../src/cases/server/index.ts'
import type { Driver } from '../../src/config/driver.ts'
import type { ServerConfig } from '../../src/config/server-config.ts'
import { runChecks } from '../../src/runner/run-checks.ts'
import { createServerSystem } from '../../src/targets/server/system.ts'

/** Servers that do nothing. Whatever passes against one of them proves nothing. */
const NULL_SERVERS: Readonly<Record<string, RequestListener>> = {
  'answers 200 {} to everything': (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  },
  'answers 404 to everything': (request, response) => {
    request.resume()
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"code":"NOT_FOUND"}')
  },
  'never answers': (request) => {
    request.resume()
  },
}

let close = async (): Promise<void> => {}
afterEach(() => close())

const startNull = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return `http://127.0.0.1:${address.port}`
}

/** A configuration that claims everything, so that no check is left out. */
const describeNull = (baseUrl: string): ServerConfig => {
  const webhook = { integrationId: 'wh_null', secret: 'a-secret-of-nobody', subject: 'nobody' }
  const driver = new Proxy({} as Driver, {
    ownKeys: () => DRIVER_FUNCTIONS,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: nothing }),
    get: (_target, name) => (name === 'scriptInput' ? undefined : nothing),
  })
  return {
    baseUrl,
    apps: {
      first: { key: 'gk_null_first', appId: 'app_first', scopedKeys: { 'runs:read': 'gk_null_scoped' } },
      second: { key: 'gk_null_second', appId: 'app_second' },
    },
    subjects: { first: 'a', second: 'b' },
    services: { main: 'ep_main', sameDevice: 'ep_same', otherDevice: 'ep_other', foreign: 'ep_foreign' },
    webhooks: {
      new: webhook,
      messageByKey: webhook,
      messageById: webhook,
      resetReject: webhook,
      resetCancel: webhook,
      cancel: webhook,
      disabled: webhook,
      deepPaths: webhook,
    },
    admin: { url: `${baseUrl}/admin/v1`, token: 'a-token-of-nobody' },
    driver,
    deadlines: { answerMs: 150, settleMs: 150, quietMs: 10 },
  }
}

const nothing = async (): Promise<Record<string, never>> => ({})
const DRIVER_FUNCTIONS = [...new Set(serverChecks.flatMap(({ needs = [] }) => needs))]
  .filter((need) => need.startsWith('driver.') && need !== 'driver.scriptInput')
  .map((need) => need.slice('driver.'.length))

it.each(Object.entries(NULL_SERVERS))('no check passes against a server that %s', async (_name, listener) => {
  const system = createServerSystem(describeNull(await startNull(listener)), { concurrency: 32 })
  try {
    const runs = await runChecks(serverChecks, system)
    expect(runs.filter(({ outcome }) => outcome.kind === 'passed').map(({ id }) => id)).toEqual([])
    expect(runs.filter(({ outcome }) => outcome.kind === 'failed').length).toBeGreaterThan(300)
  } finally {
    await system.stop()
  }
})
