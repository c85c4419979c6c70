import { describe, expect, it } from 'vitest'
import { runAndRecord } from '../../test/run-and-record.ts'

describe('gateway-conformance doctor', () => {
  it.each([
    [[], 'doctor requires one origin'],
    [['http://127.0.0.1:1/api/v1'], 'doctor requires one origin'],
    [['http://127.0.0.1:1', 'http://127.0.0.1:2'], 'doctor requires one origin'],
    [['http://127.0.0.1:1', '--wait', 'long'], '--wait must be a positive number'],
  ])('prints for %j: %s', async (args, message) => {
    const { code, err } = await runAndRecord('doctor', ...args)
    expect(err).toContain(message)
    expect(code).toBe(2)
  })

  it('reports an unreachable gateway, and exits with 1', async () => {
    const { code, out } = await runAndRecord('doctor', 'http://127.0.0.1:1')
    expect(out).toMatch(/^BAD/m)
    expect(code).toBe(1)
  })
})
