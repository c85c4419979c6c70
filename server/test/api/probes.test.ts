import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/runtime/version.ts'
import type { Statement } from '../../src/store/db.ts'
import type { TestDatabase } from '../support/databases/databases.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { onGateways, startRunningGateway } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

const contract = async (name: string) => {
  const file = new URL(import.meta.resolve(`@conversation-gateway/openapi/${name}.json`))
  return JSON.parse(await readFile(file, 'utf8'))
}

onGateways('the routes of an operator', (running) => {
  const get = async (path: string) => {
    const response = await fetch(running.baseUrl + path)
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      policy: response.headers.get('content-security-policy'),
      text: await response.text(),
    }
  }

  test('stand outside the API, and take no key [OPS-04]', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs/', '/openapi.json']) {
      expect([path, (await get(path)).status]).toEqual([path, 200])
      expect([path, (await get(`/api/v1${path}`)).status]).toEqual([path, 404])
    }
  })

  test('say that the process lives [OPS-05]', async () => {
    expect(JSON.parse((await get('/healthz')).text)).toEqual({ status: 'alive', version: VERSION })
  })

  test('say which roles run, that the database answers, and what an accepted request survives on it [OPS-06, OPS-14]', async () => {
    const { kind } = running.gateway.context.db
    expect(JSON.parse((await get('/readyz')).text)).toEqual({
      status: 'ready',
      version: VERSION,
      store: kind === 'embedded' ? 'embedded' : 'postgresql',
      durability: expect.stringMatching(kind === 'embedded' ? /not a power loss/ : /configured/),
      database: true,
      admission: 'open',
      roles: { api: true, device: true, delivery: true },
    })
  })

  test('say that admission is paused, which leaves the process ready [OPS-19]', async () => {
    const pause = (paused: boolean) => running.operator.request('PUT', '/admin/v1/admission', { body: { paused } })
    expect((await get('/metrics')).text).toContain('gateway_admission_paused 0\n')
    expect((await pause(true)).status).toBe(200)
    await untilHolds(async () => {
      const { status, text } = await get('/readyz')
      expect([status, JSON.parse(text).status, JSON.parse(text).admission]).toEqual([200, 'ready', 'paused'])
    })
    expect((await get('/metrics')).text).toContain('gateway_admission_paused 1\n')
    expect((await pause(false)).status).toBe(200)
    await untilHolds(async () => expect(JSON.parse((await get('/readyz')).text)).toMatchObject({ admission: 'open' }))
  })

  test('write once a second at most to prove that the database takes writes [OPS-15]', async () => {
    const proof: Statement = {
      name: 'test_proof',
      access: 'read',
      text: 'select xmin::text as version from write_proof',
    }
    const { db } = running.gateway.context
    const versions = new Set<unknown>()
    for (let n = 0; n < 30; n += 1) {
      expect((await get('/readyz')).status).toBe(200)
      versions.add((await db.query<{ version: string }>(proof, []))[0]?.version)
    }
    expect(versions.size).toBeLessThan(10)
    await untilHolds(async () => {
      await get('/readyz')
      versions.add((await db.query<{ version: string }>(proof, []))[0]?.version)
      expect(versions.size).toBeGreaterThan(1)
    })
  })

  test('give what can be measured as Prometheus text, and name its version [OPS-07, OPS-23]', async () => {
    const client = running.client()
    const { conversation_id: id } = (await client.createConversation()).body
    await client.send(id, { text: 'counted' })
    await client.send(id, { text: 'refused' }, 7)
    const { type, text } = await get('/metrics')
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|[a-z_]\w*(\{.*\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/)
    for (const sample of [
      'gateway_up 1',
      `gateway_build_info{version="${VERSION}"} 1`,
      'gateway_admissions_total{operation="sendMessage",replayed="false"} 1',
      'gateway_refusals_total{code="GENERATION_CONFLICT"} 1',
      'gateway_open_streams 0',
    ])
      expect(text).toContain(`${sample}\n`)
    for (const name of ['gateway_queue_age_seconds', 'gateway_event_lag_seconds', 'gateway_database_seconds'])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'))
    expect(text).toMatch(/^gateway_http_request_seconds_count\{operation="createConversation",status="201"\} 1$/m)
  })

  test('show the reference, which takes nothing from elsewhere [OPS-08]', async () => {
    const page = await get('/docs/')
    expect(page.type).toMatch(/^text\/html/)
    // A page without scripts says how to build the site, where it is not built.
    const scripts = [...page.text.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, source]) => source ?? '')
    for (const source of scripts) {
      const url = new URL(source, `${running.baseUrl}/docs/`)
      expect(url.origin).toBe(running.baseUrl)
      expect((await get(url.pathname)).status).toBe(200)
    }
    expect(page.policy).toContain("default-src 'self'")
  })

  test('serve the contract, and that of the operator beside it [OPS-09, ADMIN-01]', async () => {
    const [gateway, admin] = [await contract('gateway'), await contract('admin')]
    expect(JSON.parse((await get('/openapi.json')).text).paths).toEqual(gateway.paths)
    expect(JSON.parse((await get('/admin/openapi.json')).text)).toEqual(admin)
    const paths = Object.keys(admin.paths)
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !path.startsWith('/admin/v1/'))).toEqual([])
    expect(Object.keys(gateway.paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([])
    expect((await running.operator.request('GET', '/admin/v1/apps')).status).toBe(200)
    expect((await running.operator.request('GET', '/api/v1/apps')).status).toBe(404)
  })
})

describe('a process that cannot serve', () => {
  /** The same database, which from a moment on is out of reach. */
  const breakable = ({ db }: TestDatabase) => {
    let broken = false
    return {
      db: {
        ...db,
        query: ((...args) => (broken ? Promise.reject(new Error('gone')) : db.query(...args))) as typeof db.query,
      },
      break: (state: boolean) => {
        broken = state
      },
    }
  }

  eachDatabase('says so', (database) => {
    test('with 503 on /readyz while it lives, and again with 200 once it can [OPS-05, OPS-06]', async () => {
      const { db, break: setBroken } = breakable(database)
      const running = await startRunningGateway(database, { db })
      const ask = async (path: string) => {
        const response = await fetch(running.baseUrl + path)
        return { status: response.status, body: await response.json(), wait: response.headers.get('retry-after') }
      }
      expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
      setBroken(true)
      // The device worker notices at its next heartbeat.
      await untilHolds(async () =>
        expect(await ask('/readyz')).toMatchObject({
          status: 503,
          wait: '1',
          body: { status: 'unavailable', database: false, roles: { api: true, device: false } },
        }),
      )
      expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
      expect(await (await fetch(`${running.baseUrl}/metrics`)).text()).toContain('gateway_up 0\n')
      setBroken(false)
      await untilHolds(async () =>
        expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } }),
      )
      await running.stop()
    })
  })
})
