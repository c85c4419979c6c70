import type { Run } from '@conversation-gateway/openapi/generated/gateway-closed'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { GatewayHandlers } from '../../src/http/handlers/gateway.ts'
import { RUN, startServer } from './support.ts'

const start = async (handlers: Partial<GatewayHandlers>) => {
  const server = await startServer({ handlers })
  onTestFinished(() => server.close())
  return server
}

describe('the check of answers against the contract', () => {
  const reading = async (body: Run) => {
    const server = await start({ getRun: async () => ({ kind: 'found', body }) })
    const { status, json } = await server.fetch('/api/v1/runs/run_1')
    return { status, code: json.code, violations: server.app.contractViolations, lines: server.lines }
  }

  it('accepts a documented answer', async () => {
    expect(await reading(RUN)).toMatchObject({ status: 200, violations: [] })
  })

  it.each<[string, object, RegExp]>([
    ['an undocumented member', { mood: 'good' }, /getRun 200: \/mood is not a known member/],
    ['a missing member', { run_id: undefined }, /getRun 200: \/run_id is required/],
    ['a wrong type', { generation: '1' }, /getRun 200: \/generation must be an integer/],
    ['a timestamp without milliseconds', { created_at: '2026-03-01T00:00:00Z' }, /\/created_at must match/],
    ['a value outside an enumeration', { state: 'dreaming' }, /\/state must be one of/],
    ['an undocumented member of a nested object', { result: { text: 'x', mood: 1 } }, /\/result\/mood|\/result/],
  ])('turns %s into a 500 and a log line', async (_, change, violation) => {
    const { status, code, violations, lines } = await reading({ ...RUN, ...change })
    expect([status, code]).toEqual([500, 'INTERNAL'])
    expect(violations.join()).toMatch(violation)
    expect(lines).toContainEqual(expect.objectContaining({ message: 'contract violated' }))
  })

  it('turns an undocumented status or error code into a 500', async () => {
    const server = await start({
      getRun: async () => ({ kind: 'refused', code: 'BUSY', detail: '' }),
      getOperation: async () => ({ kind: 'refused', code: 'UNKNOWN_FIELD', detail: '' }),
    })
    expect((await server.fetch('/api/v1/runs/run_1')).status).toBe(500)
    expect((await server.fetch('/api/v1/operations/op_1')).status).toBe(500)
    expect(server.app.contractViolations).toEqual([
      'getRun 409: the status is not documented',
      'getOperation 400: the code UNKNOWN_FIELD is not documented',
    ])
  })
})
