import { describe, expect, it } from 'vitest'
import { readCitations } from './citations.ts'

// Built here rather than written out: the check reads this file too.
const cite = (...ids: string[]) => `[${ids.join(', ')}]`
const cited = (source: string) => readCitations('a.test.ts', source).map(({ rule }) => rule)

describe('citations in a test file', () => {
  it('are found in the names of tests and groups, with file and line', () => {
    const source = `describe('sends ${cite('MSG-01')}', () => {\n  it("is refused ${cite('MSG-02')}", () => {})\n})\n`
    expect(readCitations('a.test.ts', source)).toEqual([
      { rule: 'MSG-01', file: 'a.test.ts', line: 1 },
      { rule: 'MSG-02', file: 'a.test.ts', line: 2 },
    ])
  })

  it('may name several rules at once', () => {
    expect(cited(`it('a ${cite('IDEM-03', 'MSG-07')} b ${cite('RUN-01')}', f)`)).toEqual([
      'IDEM-03',
      'MSG-07',
      'RUN-01',
    ])
  })

  it('are found in template literals and in tables of names', () => {
    const source = `const rows = [{ name: '${cite('ERR-01')} a' }, { name: '${cite('ERR-02')} b' }]
      for (const row of rows) it(\`\${row.name} ${cite('ERR-03')} \${row.name} ${cite('ERR-04')}\`, f)
      it(\`${cite('ERR-05')}\`, f)`
    expect(cited(source)).toEqual(['ERR-01', 'ERR-02', 'ERR-03', 'ERR-04', 'ERR-05'])
  })

  it('include IDs that no rule has, so that a slip is reported', () => {
    expect(cited(`it('a ${cite('IDEM-3')}', f)`)).toEqual(['IDEM-3'])
  })

  it('do not count in comments', () => {
    expect(cited(`// ${cite('MSG-01')}\n/* '${cite('MSG-02')}' */ it('a', f) // it's '${cite('MSG-03')}'`)).toEqual([])
  })

  it.each([
    'it.skip',
    'test.todo',
    'describe.skip',
    'describe.skip.each(rows)',
    'it.each(rows).skip',
    'it.skip.each``',
  ])('do not count under %s', (callee) => {
    expect(cited(`${callee}('a ${cite('MSG-01')}', () => { it('b ${cite('MSG-02')}', f) })`)).toEqual([])
  })

  it('count under functions that merely have such a name', () => {
    expect(cited(`cursor.skip('a ${cite('MSG-01')}')`)).toEqual(['MSG-01'])
  })

  it('are not seen in other brackets', () => {
    expect(cited(`it('takes [1], [D-07] and [a-z] of [msg-01]', f)`)).toEqual([])
  })
})
