import { describe, expect, it } from 'vitest'
import type { Bytes } from './bytes.ts'
import { bytesOf } from './bytes.ts'
import { interruptAfterEvents, rewriteLineEndings } from './content-faults.ts'

const pieces = (...texts: string[]): Bytes => bytesOf(...texts.map((text) => Buffer.from(text)))

const read = async (bytes: Bytes): Promise<{ text: string; ending: string }> => {
  let text = ''
  for (;;) {
    const step = await bytes.next()
    if (step.done) return { text, ending: step.value }
    text += Buffer.from(step.value).toString()
  }
}

describe('interruptAfterEvents', () => {
  const interrupted = (count: number, ...texts: string[]) =>
    read(interruptAfterEvents(pieces(...texts), count, async () => 'reset'))

  it('counts events with data for any division into pieces', async () => {
    const text = 'retry: 1\n\n: ping\n\nid: 1\ndata: a\n\nid: 2\ndata: b\n\n'
    const expected = { text: 'retry: 1\n\n: ping\n\nid: 1\ndata: a\n\n', ending: 'reset' }
    expect(await interrupted(1, text)).toEqual(expected)
    expect(await interrupted(1, ...text)).toEqual(expected)
    expect(await interrupted(0, text)).toEqual({ text: '', ending: 'reset' })
    expect(await interrupted(2, text)).toEqual({ text, ending: 'reset' })
  })

  it('recognizes lines that end with CRLF', async () => {
    expect(await interrupted(1, 'data: a\r\n\r', '\ndata: b\r\n\r\n')).toEqual({
      text: 'data: a\r\n\r\n',
      ending: 'reset',
    })
  })

  it('leaves the end of a stream with fewer events unchanged', async () => {
    expect(await interrupted(3, 'data: a\n\n')).toEqual({ text: 'data: a\n\n', ending: 'complete' })
  })
})

describe('rewriteLineEndings', () => {
  it('treats a CRLF as one line break, in one piece or two', async () => {
    expect(await read(rewriteLineEndings(pieces('a\r\nb\r', '\nc\rd\ne\n\n'), 'crlf'))).toEqual({
      text: 'a\r\nb\r\nc\r\nd\r\ne\r\n\r\n',
      ending: 'complete',
    })
  })
})
