import { describe, expect, it } from 'vitest'
import { acceptsEventStream } from './accept.ts'

describe('acceptsEventStream', () => {
  it.each([
    undefined,
    '',
    ' ',
    '*/*',
    'text/*',
    'text/event-stream',
    'TEXT/Event-Stream',
    'text/event-stream;charset=utf-8',
    'text/html, text/event-stream;q=0.1',
    'application/json, */*;q=0.001',
    'text/event-stream, */*;q=0',
    'text/event-stream;q=1.000',
    'text/html;q=x, text/event-stream;q=x',
  ])('accepts %j', (accept) => expect(acceptsEventStream(accept)).toBe(true))

  it.each([
    'application/json',
    'text/html, application/json',
    'text/event-stream;q=0',
    'text/event-stream;q=0.000, */*',
    'text/*;q=0, */*;q=1',
    '*/*;q=0',
    'text/event',
    'event-stream',
    '*',
  ])('refuses %j', (accept) => expect(acceptsEventStream(accept)).toBe(false))
})
