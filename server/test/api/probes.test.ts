import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/runtime/version.ts'
import type { TestDatabase } from '../support/databases/databases.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { onGateways, startRunningGateway } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

onGateways('the probes', (running) => {
  const get = async (path: string) => {
    const response = await fetch(running.baseUrl + path)
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
  }

  test('show the version, the roles, the database and its durability [OPS-06, OPS-14]', async () => {
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

  test('have metrics in Prometheus text format [OPS-07, OPS-23]', async () => {
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
})

describe('a process without its database', () => {
  /** The same database with a switch that makes its queries outside transactions fail. */
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

  eachDatabase('is not ready', (database) => {
    test('until the database is back, and stays alive meanwhile [OPS-04, OPS-05, OPS-06, OPS-23]', async () => {
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
      expect(await ask('/healthz')).toMatchObject({
        status: 200,
        body: { status: 'alive', version: VERSION },
      })
      expect(await (await fetch(`${running.baseUrl}/metrics`)).text()).toContain('gateway_up 0\n')
      setBroken(false)
      await untilHolds(async () =>
        expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } }),
      )
      await running.stop()
    })
  })
})
