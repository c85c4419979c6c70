import { describe, expect, it } from 'vitest'
import { escapeHtml, kebab, prose } from './markdown.ts'

describe('prose of the contract on a page', () => {
  it('is not interpreted as HTML, a template or emphasis', () => {
    expect(prose('a <b> {{ c }} _d_ *e* [f]')).toBe('a &lt;b> &#123;&#123; c }} \\_d\\_ \\*e\\* \\[f\\]')
  })

  it('keeps code as it is', () => {
    expect(prose('use `gk_<key id>_{{x}}` now')).toBe('use `gk_<key id>_{{x}}` now')
  })

  it('links the number of a decision to the decision', () => {
    expect(prose('see D-12, not `D-12`')).toBe('see [D-12](/decisions-by-number#d-12), not `D-12`')
  })
})

it('escapes what ends an attribute', () => {
  expect(escapeHtml('"<&{{')).toBe('&quot;&lt;&amp;&#123;&#123;')
})

it('names anchors after operations and objects', () => {
  expect([kebab('sendMessage'), kebab('RunState'), kebab('run-started')]).toEqual([
    'send-message',
    'run-state',
    'run-started',
  ])
})
