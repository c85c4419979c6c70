import { expect, it } from 'vitest'
import { attachmentDisposition } from './content-disposition.ts'

it.each([
  ['notes.txt', 'attachment; filename="notes.txt"'],
  ['my notes (1).txt', 'attachment; filename="my notes (1).txt"'],
  ['naïve.txt', `attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`],
  [
    'a"; filename=evil.html',
    `attachment; filename="a_; filename=evil.html"; filename*=UTF-8''a%22%3B%20filename%3Devil.html`,
  ],
  ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
  ["it's.txt", `attachment; filename="it's.txt"`],
  ['\u{1f600}', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
])('encodes the file name %s so that it cannot change the header', (filename, header) => {
  expect(attachmentDisposition(filename)).toBe(header)
})
