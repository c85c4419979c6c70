import { describe, expect, it } from 'vitest'
import { createFrameReader, type Frame } from './frames.ts'

const read = (...pieces: readonly string[]): Frame[] => {
  const frames: Frame[] = []
  const reader = createFrameReader((frame) => frames.push(frame))
  for (const piece of pieces) reader.feed(piece)
  return frames
}

describe('frames of an event stream', () => {
  it('have their fields, comments and number of data lines', () => {
    expect(read('id: 7\nevent: a\ndata: {\ndata: }\n\n: ping\n\n')).toEqual([
      { raw: 'id: 7\nevent: a\ndata: {\ndata: }', id: '7', event: 'a', data: '{\n}', comments: [], dataLines: 2 },
      { raw: ': ping', comments: [' ping'], dataLines: 0 },
    ])
  })

  it.each(['\n', '\r\n'])('are the same for any split of the text, with %j at line ends', (end) => {
    const text = ['retry: 1000', '', 'id: 1', 'data: é', '', ''].join(end)
    const whole = read(text, '')
    expect(whole.map(({ id, retry }) => id ?? retry)).toEqual(['1000', '1'])
    for (let at = 0; at <= text.length; at += 1) expect(read(text.slice(0, at), text.slice(at))).toEqual(whole)
  })

  it('are not reported before their blank line', () => {
    expect(read('id: 1\ndata: a\n')).toEqual([])
  })
})
