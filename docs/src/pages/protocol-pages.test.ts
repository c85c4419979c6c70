import { describe, expect, it } from 'vitest'
import { loadRules } from '../../../openapi/src/rules.ts'
import { protocolLink, protocolPages } from './protocol-pages.ts'

describe('the protocol', () => {
  const text = [...protocolPages().values()].join('\n')

  it('has every rule of the core once, with a link to it', () => {
    const missing = loadRules().filter(
      ({ id, profile }) => text.split(`[${id}](`).length - 1 !== (profile === 'core' ? 1 : 0),
    )
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  it('is the link target of each rule of the core', () => {
    expect(loadRules().filter((rule) => (protocolLink(rule) === undefined) === (rule.profile === 'core'))).toEqual([])
  })
})
