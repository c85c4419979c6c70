import { describe, expect, it } from 'vitest'
import { html, partly, problem, raw, type SentRequest } from '../../test/support/scripted-fetch.ts'
import { ApiError, ConnectionError, CursorExpiredError } from '../errors.ts'
import { readAnswer, readError } from './read-answer.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const NO_REQUEST = { signal: new AbortController().signal } as SentRequest
const LIMIT = 1_000

const read = async (response: Response | Promise<Response>, expected: Parameters<typeof readAnswer>[1] = 'json') =>
  readAnswer(await response, expected, expected === 'nothing' ? 204 : 200, LIMIT)

describe('a successful answer', () => {
  it('of JSON can be read again, as JSON and as text', async () => {
    const answer = await read(Response.json({ name: 'Größe 🚀' }))
    expect(await answer.json()).toEqual({ name: 'Größe 🚀' })
    expect(await answer.text()).toBe('{"name":"Größe 🚀"}')
    expect(await answer.json()).toEqual({ name: 'Größe 🚀' })
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.gateway+json'])(
    'of the type %s is JSON',
    async (type) => {
      const answer = await read(new Response('{}', { headers: { 'content-type': type } }))
      expect(await answer.json()).toEqual({})
    },
  )

  it.each([
    ['a page', html(200), /is not JSON but text\/html/],
    ['no type', raw(200, new Uint8Array(3)), /is not JSON but untyped/],
    ['JSON that was cut', raw(200, '{"run_id":"run', JSON_TYPE), /not complete JSON/],
    ['no body', raw(200, '', JSON_TYPE), /not complete JSON/],
    ['the type jsonp', raw(200, '{}', { 'content-type': 'application/jsonp' }), /is not JSON/],
    ['no content', raw(204, null), /204 should be 200/],
  ])('with %s is not the gateway’s', async (_name, reply, message) => {
    const failed = read(reply(NO_REQUEST))
    await expect(failed).rejects.toThrow(ConnectionError)
    await expect(failed).rejects.toThrow(message)
  })

  it('whose connection breaks in the body rejects', async () => {
    await expect(read(partly(200, '{"run_id":', 'breaks')(NO_REQUEST))).rejects.toThrow('terminated')
  })

  it('is read up to the limit and no further, with and without a declared length', async () => {
    const fits = JSON.stringify('x'.repeat(LIMIT - 2))
    const tooLarge = JSON.stringify('x'.repeat(LIMIT - 1))
    const declared = (text: string) => ({ ...JSON_TYPE, 'content-length': String(text.length) })
    expect(await (await read(new Response(fits, { headers: JSON_TYPE }))).text()).toBe(fits)
    expect(await (await read(new Response(fits, { headers: declared(fits) }))).text()).toBe(fits)
    for (const headers of [JSON_TYPE, declared(tooLarge)])
      await expect(read(new Response(tooLarge, { headers }))).rejects.toThrow('larger than 1000 bytes (maxAnswerBytes)')
  })

  it('with an error names the option maxAnswerBytes only if that option limits it', async () => {
    const tooLarge = new Response('x'.repeat(1024 * 1024 + 1), { status: 500 })
    await expect(readError(tooLarge, 0)).rejects.toThrow(/is larger than 1048576 bytes; /)
  })

  it('is measured after decompression, whatever its declared length', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': '20' }
    await expect(read(new Response(JSON.stringify('x'.repeat(LIMIT)), { headers }))).rejects.toThrow('larger than')
  })

  it('that is too large is not read to its end', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(400)),
      cancel: () => {
        isCancelled = true
      },
    })
    await expect(read(new Response(body, { headers: JSON_TYPE }))).rejects.toThrow('larger than')
    expect(isCancelled).toBe(true)
  })

  it('that is too large is abandoned at once even if its body was cloned', async () => {
    const whole = new Response(JSON.stringify('x'.repeat(LIMIT)), { headers: JSON_TYPE })
    const clone = whole.clone()
    await expect(read(whole)).rejects.toThrow('larger than')
    expect(clone.bodyUsed).toBe(false)
  })

  it('of bytes keeps every byte, and the declared type', async () => {
    const bytes = new Uint8Array([0, 255, 128, 13, 10])
    const answer = await read(new Response(bytes, { headers: { 'content-type': 'image/png' } }), 'bytes')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    const blob = await answer.blob()
    expect(blob.type).toBe('image/png')
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes)
  })

  it('without content is accepted only where none is expected', async () => {
    expect((await read(new Response(null, { status: 204 }), 'nothing')).status).toBe(204)
    await expect(read(Promise.resolve(html(200)(NO_REQUEST)), 'nothing')).rejects.toThrow('200 should be 204')
    await expect(read(new Response(null, { status: 204 }), 'bytes')).rejects.toThrow('204 should be 200')
  })

  it('that is a stream is passed on unread [SSE-02]', async () => {
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    const answer = await read(new Response(': ping\n\n', { headers }), 'stream')
    expect(await answer.text()).toBe(': ping\n\n')
    await expect(read(Response.json({}), 'stream')).rejects.toThrow('is not an event stream')
    await expect(read(new Response(null, { status: 204 }), 'stream')).rejects.toThrow(ConnectionError)
  })

  it('that is broken keeps its request ID', async () => {
    const broken = new Response('{', { headers: { ...JSON_TYPE, 'x-request-id': 'req_9' } })
    await expect(read(broken)).rejects.toMatchObject({ requestId: 'req_9' })
  })
})

describe('an error answer', () => {
  const errorOf = async (response: Response | Promise<Response>) => readError(await response, 0)

  it('with a problem document has its code, texts, fields and request ID', async () => {
    const errors = [{ pointer: '/input', message: 'is required' }]
    const error = await errorOf(
      Response.json(
        {
          type: '/docs/errors#INVALID_REQUEST',
          title: 'Invalid',
          status: 400,
          detail: 'No.',
          code: 'INVALID_REQUEST',
          errors,
        },
        { status: 400, headers: { 'x-request-id': 'req_1', 'retry-after': '3' } },
      ),
    )
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400, requestId: 'req_1', retryAfterMs: 3_000 })
    expect(error.message).toBe('400 INVALID_REQUEST: No. /input is required')
    expect(error.fields).toEqual(errors)
  })

  it.each([
    ['a page', '<h1>Bad gateway</h1>'],
    ['nothing', ''],
    ['JSON of another kind', '{"error":"oops"}'],
    ['an invalid code', '{"code":"oops\\nadmitted","status":502}'],
    ['a number', '502'],
    ['null', 'null'],
    ['errors that are not a list', '{"code":"INTERNAL","status":502,"errors":{}}'],
  ])('with %s has no code and says so', async (_name, body) => {
    const error = await errorOf(new Response(body, { status: 502 }))
    expect(error).toMatchObject({ code: null, status: 502, problem: null, retryAfterMs: null })
    expect(error.message).toBe('502: the answer is not the gateway’s.')
    expect(error.fields).toEqual([])
  })

  it('keeps a code of a later version [GEN-29]', async () => {
    const body = JSON.stringify({ title: 'New', detail: 'It is new.', status: 409, code: 'SOMETHING_LATER' })
    expect(await errorOf(new Response(body, { status: 409 }))).toMatchObject({ code: 'SOMETHING_LATER', status: 409 })
  })

  it('that redirects says so, and names no address', async () => {
    const headers = { location: 'https://other.example.com/login?token=secret' }
    const error = await errorOf(new Response('', { status: 308, headers }))
    expect(error.message).toBe('308: the address redirects; use the final one.')
    expect((await errorOf(new Response('', { status: 301 }))).message).toContain('the address redirects;')
  })

  it('that redirects is reported at once even if its body was cloned', async () => {
    const moved = new Response('moved', { status: 302 })
    const clone = moved.clone()
    expect((await errorOf(moved)).status).toBe(302)
    expect(clone.bodyUsed).toBe(false)
  })

  it('with 410 is a CursorExpiredError if it comes from the gateway, and not if it comes from a proxy', async () => {
    expect(await errorOf(html(410)(NO_REQUEST))).not.toBeInstanceOf(CursorExpiredError)
    expect(await errorOf(problem('CURSOR_EXPIRED')(NO_REQUEST))).toBeInstanceOf(CursorExpiredError)
  })
})
