import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { describe, expect, it } from 'vitest'
import type { Surface } from '../../src/http/server.ts'
import { serverOfTest } from './support.ts'

const ADMIN = ['/admin/v1/apps', '/admin/openapi.json', '/console', '/metrics']
const PUBLIC = ['/api/v1/runs/run_1', '/openapi.json', '/docs']
const PROBES = ['/healthz', '/readyz']

describe('the address of a surface', () => {
  it.each<[Surface, served: readonly string[], absent: Readonly<Record<string, OperationInfo>>]>([
    ['all', [...ADMIN, ...PUBLIC, ...PROBES], {}],
    ['public', [...PUBLIC, ...PROBES], ADMIN_OPERATIONS],
    ['operator', [...ADMIN, ...PROBES], OPERATIONS],
  ])('serves only the routes of that surface, and the probes: %s', async (surface, served, absent) => {
    const { fetch } = await serverOfTest({ surface })
    const statusOf = async (path: string, method = 'GET') => (await fetch(path, { method })).status
    for (const path of [...ADMIN, ...PUBLIC, ...PROBES])
      expect([path, (await statusOf(path)) !== 404]).toEqual([path, served.includes(path)])
    for (const { method, path } of Object.values(absent))
      expect([path, await statusOf(path.replaceAll(/\{\w+\}/g, 'some_id'), method)]).toEqual([path, 404])
  })
})
