import { describe, expect, it } from 'vitest'
import { rankOf, searchTerm } from '../.vitepress/theme/search/rank.ts'
import { searchSections } from './search-sections.ts'

const GUIDE = `<h1 id="a-guide">A guide</h1><p>First.</p><div class="language-sh"><pre><code>npm start</code></pre></div>
<h2 id="step">Step <a class="header-anchor" href="#step">#</a></h2><p>Second.</p><details><summary>More</summary>Hidden.</details>`

describe('the search index', () => {
  it('contains the sections of a page with the titles above them, without code and folded text', () => {
    expect(searchSections('/docs/guides/a.md', GUIDE)).toEqual([
      { anchor: '', titles: ['A guide'], text: expect.stringContaining('First.') },
      { anchor: 'step', titles: ['A guide', 'Step'], text: expect.stringMatching(/^(?!.*(Hidden|npm)).*Second\./) },
    ])
  })

  it('contains names from the SDK reference, without repeated headings such as “Parameters”', () => {
    const html = '<h1>Function: createClient()</h1><p>Makes a client.</p><h2 id="p">Parameters</h2><p>options</p>'
    expect(searchSections('/docs/generated/reference/sdk/functions/createClient.md', html)).toEqual([
      { anchor: '', titles: ['createClient'], text: ' Makes a client.' },
    ])
  })

  it('contains each setting under its name', () => {
    const html = `<h1>Settings</h1><dl class="fields">
<div><dt id="GATEWAY_PORT"><code>GATEWAY_PORT</code> <span>default 8787</span></dt><dd>Where it listens.</dd></div></dl>`
    expect(searchSections('/docs/generated/reference/settings.md', html)).toContainEqual({
      anchor: 'GATEWAY_PORT',
      titles: ['Settings', 'GATEWAY_PORT'],
      text: 'Where it listens.',
    })
  })

  it('omits the page of the mutants', () => {
    expect(searchSections('/docs/generated/rules/mutants.md', GUIDE)).toEqual([])
  })
})

describe('the order of search results', () => {
  it('is guides before references, references before rules, and a page before its sections', () => {
    const order = ['/docs/guides/a', '/docs/guides/a#b', '/docs/reference/http/runs#c', '/docs/rules/idem#idem-01']
    expect(order.map(rankOf)).toEqual(order.map(rankOf).toSorted((a, b) => b - a))
  })

  it('does not depend on stop words', () => {
    expect(['How', 'do', 'I', 'stream'].map(searchTerm)).toEqual([null, null, null, 'stream'])
  })
})
