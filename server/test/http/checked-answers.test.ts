import type { Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestServer, TestServerOptions } from './support.ts'
import { RUN, startServer } from './support.ts'

const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

describe('the check of answers', () => {
  const reading = async (body: Run) => {
    const server = await start({ handlers: { getRun: async () => ({ kind: 'found', body }) } })
    const { status, json } = await server.fetch('/api/v1/runs/run_1')
    return { status, code: json.code, violations: server.app.contractViolations, lines: server.lines }
  }

  it('lets through what the contract documents', async () => {
    expect(await reading(RUN)).toMatchObject({ status: 200, violations: [] })
  })

  it.each<[string, object, RegExp]>([
    ['a member that is not documented', { mood: 'good' }, /getRun 200: \/mood is not a known member/],
    ['a missing member', { run_id: undefined }, /getRun 200: \/run_id is required/],
    ['a wrong type', { generation: '1' }, /getRun 200: \/generation must be an integer/],
    ['a timestamp without milliseconds', { created_at: '2026-03-01T00:00:00Z' }, /\/created_at must match/],
    ['a value that no open enumeration lists', { state: 'dreaming' }, /\/state must be one of/],
    ['a member of a nested object', { result: { text: 'x', mood: 1 } }, /\/result\/mood|\/result/],
  ])('finds %s, and makes it loud', async (_, change, violation) => {
    const { status, code, violations, lines } = await reading({ ...RUN, ...change })
    expect([status, code]).toEqual([500, 'INTERNAL'])
    expect(violations.join()).toMatch(violation)
    expect(lines).toContainEqual(expect.objectContaining({ message: 'contract violated' }))
  })

  it('finds a status, a code or a header that the operation does not document', async () => {
    const server = await start({
      handlers: {
        getRun: async () => ({ kind: 'refused', code: 'BUSY', detail: '' }),
        getOperation: async () => ({ kind: 'refused', code: 'UNKNOWN_FIELD', detail: '' }),
      },
    })
    expect((await server.fetch('/api/v1/runs/run_1')).status).toBe(500)
    expect((await server.fetch('/api/v1/operations/op_1')).status).toBe(500)
    expect(server.app.contractViolations).toEqual([
      'getRun 409: the status is not documented',
      'getOperation 400: the code UNKNOWN_FIELD is not documented',
    ])
  })
})
