import { describe, expect, it } from 'vitest'
import { buildRequest, type TryItInput, toCurl } from './build-request.ts'
import type { TryItOperation } from './operation.ts'

const SEND: TryItOperation = {
  id: 'sendMessage',
  summary: 'Send a message',
  method: 'POST',
  path: '/api/v1/conversations/{conversation_id}/messages',
  credential: 'apiKey',
  idempotencyHeader: 'Idempotency-Key',
  isStream: false,
  takesSubject: true,
  parameters: [
    { name: 'conversation_id', place: 'path', isRequired: true, example: '' },
    { name: 'limit', place: 'query', isRequired: false, example: '50' },
    { name: 'X-Request-Id', place: 'header', isRequired: false, example: '' },
  ],
  body: { isJson: true, example: '{}' },
}

const INPUT: TryItInput = {
  credential: ' gk_1 ',
  subject: 'customer-4711',
  idempotencyKey: 'key-1',
  parameters: { conversation_id: 'conv_1/?#', limit: '', 'X-Request-Id': '' },
  body: '{"a":1}',
}

const ORIGIN = 'http://127.0.0.1:8787'
const build = (input: Partial<TryItInput> = {}, operation: Partial<TryItOperation> = {}) =>
  buildRequest({ ...SEND, ...operation }, { ...INPUT, ...input }, ORIGIN)

describe('the request of the form', () => {
  it('goes to the gateway that serves the page, with each ID escaped as one path segment', () => {
    expect(build().url).toBe(`${ORIGIN}/api/v1/conversations/conv_1%2F%3F%23/messages`)
  })

  it('has headers for key, subject, idempotency key and content type, and no empty optional parameter', () => {
    expect(build().headers).toEqual({
      Authorization: 'Bearer gk_1',
      'X-Service-Subject': 'customer-4711',
      'Idempotency-Key': 'key-1',
      'Content-Type': 'application/json',
    })
  })

  it('contains optional parameters that are filled in', () => {
    const { url, headers } = build({ parameters: { ...INPUT.parameters, limit: '7', 'X-Request-Id': 'r-1' } })
    expect(url).toMatch(/\?limit=7$/)
    expect(headers['X-Request-Id']).toBe('r-1')
  })

  it('has no body and no content type if the operation takes no body', () => {
    const { body, headers } = build({}, { body: null, method: 'GET' })
    expect([body, headers['Content-Type']]).toEqual([null, undefined])
  })

  it.each<[string, Partial<TryItInput>, RegExp]>([
    ['a required parameter is missing', { parameters: {} }, /conversation_id/],
    ['the key is missing', { credential: '' }, /application key/],
    ['the body is not JSON', { body: '{' }, /not JSON/],
  ])('is refused with a sentence when %s', (_, input, sentence) => {
    expect(() => build(input)).toThrow(sentence)
  })

  it('is shown as a valid shell command without the key', () => {
    const curl = toCurl(build({ body: `{"text":"it's"}` }), 'GATEWAY_API_KEY')
    expect(curl).toMatch(/^curl -sS -X POST 'http:/)
    expect(curl).toContain('Bearer $GATEWAY_API_KEY"')
    expect(curl).toContain(String.raw`-d '{"text":"it'\''s"}'`)
    expect(curl).not.toContain('gk_1')
  })
})
