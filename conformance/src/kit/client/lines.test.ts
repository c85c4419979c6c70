import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { readLines, toLine } from './lines.ts'

const linesOf = async (pieces: readonly Uint8Array[]): Promise<string[]> => {
  const lines: string[] = []
  const stream = new PassThrough()
  readLines(stream, (line) => lines.push(line))
  for (const piece of pieces) stream.write(piece)
  await finished(stream.end())
  return lines
}

it('reads the same lines for any split of their bytes', async () => {
  const bytes = Buffer.from('{"a":"Größe"}\n{"b":"🚀"}\n')
  for (let at = 0; at <= bytes.length; at++)
    await expect(linesOf([bytes.subarray(0, at), bytes.subarray(at)])).resolves.toEqual(['{"a":"Größe"}', '{"b":"🚀"}'])
})

it('ends lines at LF only', async () => {
  await expect(linesOf([Buffer.from('a\u2028b\u0085c\rd\n')])).resolves.toEqual(['a\u2028b\u0085c\rd'])
})

it('writes no character that a reader may treat as a line break', () => {
  const text = 'a\nb\u2028c\u2029d\u0085e'
  const line = toLine({ text })
  expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029]/)
  expect(JSON.parse(line)).toEqual({ text })
})
