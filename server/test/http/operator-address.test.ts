import { ADMIN_OPERATIONS, OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { afterEach, describe, expect, it } from 'vitest'
import type { Surface } from '../../src/http/server.ts'
import type { TestServer } from './support.ts'
import { REACHED, startServer } from './support.ts'

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.app.contractViolations).toEqual([])
    await server.close()
  }
})

const ADMIN = ['/admin/v1/apps', '/admin/openapi.json', '/console', '/metrics']
const PUBLIC = ['/api/v1/runs/run_1', '/openapi.json', '/docs']
const PROBES = ['/healthz', '/readyz']

/** Which of the paths are there. */
const findServed = async (surface: Surface, paths: readonly string[]): Promise<string[]> => {
  const server = await startServer({ surface })
  servers.push(server)
  const served: string[] = []
  for (const path of paths) if ((await server.fetch(path)).status !== 404) served.push(path)
  return served
}

describe('what operators need', () => {
  it('is on the address of everything else unless it has one of its own', async () => {
    const paths = [...ADMIN, ...PUBLIC, ...PROBES]
    expect(await findServed('all', paths)).toEqual(paths)
  })

  it('is 404 for the public where it has an address of its own, but for the probes', async () => {
    expect(await findServed('public', [...ADMIN, ...PUBLIC, ...PROBES])).toEqual([...PUBLIC, ...PROBES])
    const [server] = servers
    for (const { method, path } of Object.values(ADMIN_OPERATIONS))
      expect([path, (await server?.fetch(path.replaceAll(/\{\w+\}/g, 'some_id'), { method }))?.status]).toEqual([
        path,
        404,
      ])
  })

  it('is all that there is on that address', async () => {
    expect(await findServed('operator', [...ADMIN, ...PUBLIC, ...PROBES])).toEqual([...ADMIN, ...PROBES])
    const [server] = servers
    for (const { method, path } of Object.values(OPERATIONS))
      expect([path, (await server?.fetch(path.replaceAll(/\{\w+\}/g, 'some_id'), { method }))?.status]).toEqual([
        path,
        404,
      ])
    expect((await server?.fetch('/admin/v1/apps'))?.status).toBe(REACHED.status)
  })
})
