import { describe, expect, it } from 'vitest'
import { runAndRecord } from '../../test/run-and-record.ts'
import { listChecks } from '../run/examination.ts'
import { TRY_CHECKS } from './try-checks.ts'

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
    const { code, err } = await runAndRecord('try', ...args)
    expect(err).toContain(message)
    expect(code).toBe(2)
  })
})
