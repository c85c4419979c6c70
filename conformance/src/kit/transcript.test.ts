import { describe, expect, it } from 'vitest'
import { createRedaction, createTranscript } from './transcript.ts'

describe('a transcript', () => {
  it('keeps the messages in order, with the time since the beginning', () => {
    let now = 5
    const transcript = createTranscript(
      (text) => text,
      () => now,
    )
    transcript.add('out', 'GET / HTTP/1.1')
    now = 12
    transcript.add('in', 'HTTP/1.1 200')
    expect(transcript.entries()).toEqual([
      { elapsedMs: 0, direction: 'out', text: 'GET / HTTP/1.1' },
      { elapsedMs: 7, direction: 'in', text: 'HTTP/1.1 200' },
    ])
  })

  it('truncates long entries, and says how much is omitted', () => {
    const transcript = createTranscript((text) => text)
    transcript.add('in', 'x'.repeat(20_000))
    expect(transcript.entries()[0]?.text).toMatch(/… 3616 more characters$/)
    for (let count = 0; count < 500; count += 1) transcript.add('note', 'again')
    expect(transcript.entries().at(-1)?.text).toBe('… 101 more entries')
  })

  it('contains no secret of the configuration, no bearer token and no cookie', () => {
    const { redact } = createRedaction(['whsec_123456', 'gk_live_abcdef'])
    expect(redact('Authorization: Bearer other\nCookie: a=b\nx: gk_live_abcdef\n\n{"secret":"whsec_123456"}')).toBe(
      'Authorization: [redacted]\nCookie: [redacted]\nx: [redacted]\n\n{"secret":"[redacted]"}',
    )
  })
})
