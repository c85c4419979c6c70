import { expect, it } from 'vitest'
import { readBlocks } from '../../../sdk/test/support/markdown-blocks.ts'
import { matchesOutput, useOf } from './snippet-use.ts'

const block = (language: string, ...words: string[]) => ({ line: 7, language, words, code: '' })

it('finds every block of a text, with its line, its language and the words after it', () => {
  expect(readBlocks('One\n```ts serve\nserve()\n```\n\n```sh\nls\n```\n')).toEqual([
    { line: 2, language: 'ts', words: ['serve'], code: 'serve()\n' },
    { line: 6, language: 'sh', words: [], code: 'ls\n' },
  ])
})

it.each(['  ```ts\nindented()\n  ```\n', '```ts\nunclosed()\n', '```\nwithoutLanguage()\n```\n'])(
  'refuses a text with a block that would be overlooked: %j',
  (text) => {
    expect(() => readBlocks(text)).toThrow('one is indented, unclosed or without a language')
  },
)

it('refuses unknown words, so that a misspelt one does not prevent a snippet from being run', () => {
  expect(() => useOf(block('ts', 'not-rum'))).toThrow('Line 7')
  expect(() => useOf(block('python'))).toThrow('Line 7')
  expect(useOf(block('ts', 'file=src/orders.ts'))).toEqual({ kind: 'file', name: 'src/orders.ts' })
})

it.each([
  ['succeeded\n', 'succeeded\n', true],
  ['succeeded\n', 'failed\n', false],
  ['succeeded\nmore\n', 'succeeded\n', false],
  ['run_1 queued\n', 'run_… queued\n', true],
  ['run_1 queued\nrun_2 queued\n', 'run_… queued\n', false],
  ['first\nsecond\nthird\n', 'first\n…\nthird\n', true],
  ['first\nthird\n', 'first\n…\nthird\n', true],
  ['f(x) [y] $1', 'f(x) [y] $1\n', true],
])('compares the printed output with the output in the text: %j, %j', (printed, said, matches) => {
  expect(matchesOutput(printed, said)).toBe(matches)
})
