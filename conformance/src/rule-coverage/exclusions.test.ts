import { expect, it } from 'vitest'
import { parseExclusions } from './exclusions.ts'

const good = { defers: [{ endpoint: 13, reason: 'later' }], exclusions: [{ rule: 'MSG-01', reason: 'why' }] }

it('reads exclusions and deferred endpoints', () => {
  expect(parseExclusions(JSON.stringify(good))).toEqual(good)
})

it.each<[string, unknown, string]>([
  ['no exclusions', { defers: [] }, 'exclusions: must be a list'],
  ['an unknown section', { ...good, later: [] }, 'later: unknown section'],
  [
    'an exclusion without a reason',
    { ...good, exclusions: [{ rule: 'MSG-01', reason: ' ' }] },
    'exclusions, entry 1: must be a valid rule and a reason, nothing else',
  ],
  [
    'an unknown member',
    { ...good, exclusions: [{ rule: 'MSG-01', reason: 'why', until: 'then' }] },
    'exclusions, entry 1: must be a valid rule and a reason, nothing else',
  ],
  [
    'an endpoint that does not exist',
    { ...good, defers: [{ endpoint: 16, reason: 'later' }] },
    'defers, entry 1: must be a valid endpoint and a reason, nothing else',
  ],
  [
    'a rule that stands twice',
    { ...good, exclusions: [good.exclusions[0], good.exclusions[0]] },
    'MSG-01 stands twice',
  ],
  ['an empty file', null, 'defers: must be a list'],
])('refuses %s', (_, file, fault) => {
  expect(() => parseExclusions(JSON.stringify(file))).toThrow(fault)
})
