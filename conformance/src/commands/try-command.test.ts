import { describe, expect, it } from 'vitest'
import { listChecks } from '../run/examination.ts'
import { runCommand } from './run-command.ts'
import { TRY_CHECKS } from './try-checks.ts'

const tryOut = async (...args: string[]) => {
  let said = ''
  const note = (text: string): void => {
    said += text
  }
  return { code: await runCommand(['try', ...args], { print: note, log: note }), said }
}

describe('gateway-conformance try', () => {
  it('lists existing checks, all of the profile core', async () => {
    const core = (await listChecks('server', { profile: 'core' })).map(({ id }) => id)
    expect(TRY_CHECKS.filter((id) => !core.includes(id))).toEqual([])
    expect(TRY_CHECKS.length).toBeGreaterThan(90)
  })

  it.each([
    [['--key', 'k', '--service', 's'], 'try requires one origin'],
    [['http://127.0.0.1:1/api/v1', '--key', 'k', '--service', 's'], 'try requires one origin'],
    [['http://127.0.0.1:1', '--key', 'k'], '--service is missing'],
    [['http://127.0.0.1:1', '--key', 'k', '--service', 's'], 'nothing listens there'],
  ])('prints for %j: %s', async (args, message) => {
    const { code, said } = await tryOut(...args)
    expect(said).toContain(message)
    expect(code).toBe(2)
  })
})
