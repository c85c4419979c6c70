import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createTextOutput } from './text-output.ts'

type Write = (text: string, done: () => void) => void

/** A stream that the test controls. */
const streamOf = (write: Write): Writable =>
  new Writable({ decodeStrings: false, autoDestroy: false, write: (text, _, done) => write(text, done) })

const LINE = `${'x'.repeat(1023)}\n`

describe('a text output', () => {
  it('passes on text, and is flushed when it is written', async () => {
    const lines: string[] = []
    const write: Write = (text, done) =>
      setImmediate(() => {
        lines.push(text)
        done()
      })
    const output = createTextOutput(streamOf(write))
    output.write('one\n')
    output.write('two\n')
    await output.flushed()
    expect([lines, output.dropped()]).toEqual([['one\n', 'two\n'], 0])
  })

  it('buffers a bounded amount for a stalled reader, drops the rest, and continues when it reads again', () => {
    const taken: (() => void)[] = []
    const stream = streamOf((_, done) => taken.push(done))
    const output = createTextOutput(stream)
    for (let n = 0; n < 5000; n += 1) output.write(LINE)
    expect(stream.writableLength).toBeLessThanOrEqual(1024 * 1024 + LINE.length)
    const dropped = output.dropped()
    expect(dropped).toBeGreaterThan(3900)
    for (let n = 0; n < 100; n += 1) taken.shift()?.()
    output.write(LINE)
    expect(output.dropped()).toBe(dropped)
  })
})
