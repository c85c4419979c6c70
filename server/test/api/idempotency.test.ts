import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Route } from '../support/api-routes.ts'
import { ask, finishedRecords, ROUTES, requestTo } from '../support/api-routes.ts'
import type { Client } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

const REPLAYED = ROUTES.filter(({ info }) => info.idempotent)

onGateways(
  'an idempotency key',
  (running) => {
    const device = playDevice(running)
    let owner: Client
    beforeAll(async () => {
      await device.beat()
      owner = running.client()
    })
    const rows = () => countRows(running.gateway.context.db)

    const admitted = async (route: Route) => {
      const records = await finishedRecords(owner)
      const request = requestTo(route, records)
      const key = randomUUID()
      const answer = await ask(owner, route, request, key)
      expect(answer).toMatchObject({ status: route.info.successStatus })
      return { request, key, answer, records }
    }

    test('makes every route that takes one answer a repeat as it answered first, say so, and do nothing again [IDEM-09, IDEM-21, IDEM-22, REQ-13]', async () => {
      expect(REPLAYED.length).toBeGreaterThan(0)
      for (const route of REPLAYED) {
        const { request, key, answer } = await admitted(route)
        const before = await rows()
        const again = await ask(owner, route, request, key)
        expect([again.status, again.body]).toEqual([answer.status, answer.body])
        expect(answer.headers.has('idempotency-replayed')).toBe(false)
        expect(again.headers.get('idempotency-replayed')).toBe('true')
        expect(await rows()).toEqual(before)
      }
    })
  },
  WITHOUT_WORKER,
)
