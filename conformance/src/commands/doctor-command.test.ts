import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'

const examine = async (...args: string[]) => {
  let said = ''
  const note = (text: string): void => {
    said += text
  }
  return { code: await runCommand(['doctor', ...args], { print: note, log: note }), said }
}

describe('gateway-conformance doctor', () => {
  it.each([
    [[], 'doctor requires one origin'],
    [['http://127.0.0.1:1/api/v1'], 'doctor requires one origin'],
    [['http://127.0.0.1:1', 'http://127.0.0.1:2'], 'doctor requires one origin'],
    [['http://127.0.0.1:1', '--wait', 'long'], '--wait must be a positive number'],
  ])('prints for %j: %s', async (args, message) => {
    const { code, said } = await examine(...args)
    expect(said).toContain(message)
    expect(code).toBe(2)
  })

  it('reports an unreachable gateway, and exits with 1', async () => {
    const { code, said } = await examine('http://127.0.0.1:1')
    expect(said).toMatch(/^BAD/m)
    expect(code).toBe(1)
  })
})
