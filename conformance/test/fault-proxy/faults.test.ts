import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodyOf, contentOf, EVENTS, useProxy, utf8 } from './test-setup.ts'

const on = useProxy()

describe('faults of requests', () => {
  it('drop-request resets before anything is sent to the target', async () => {
    expect(await on.receive({ kind: 'drop-request' })).toEqual({ text: '', sizes: [], ending: 'reset' })
    expect(on.target.arrived).toEqual([])
    expect(on.proxy.exchanges()).toMatchObject([{ deliveries: [], ending: 'reset' }])
  })

  it('lose-answer lets the target process the request, and resets the connection', async () => {
    expect(await on.receive({ kind: 'lose-answer' })).toEqual({ text: '', sizes: [], ending: 'reset' })
    expect(on.target.arrived).toHaveLength(1)
    expect(on.proxy.exchanges()).toMatchObject([{ deliveries: [{ status: 200, contentBytes: 26 }] }])
  })

  it.each(['in-turn', 'together'] as const)('deliver-twice %s sends the same request twice', async (how) => {
    on.proxy.inject({ fault: { kind: 'deliver-twice', how } })
    const { text } = await on.request('/twice', { method: 'POST', body: 'same' }).received
    const { headers } = on.target.arrived[0] ?? {}
    expect(on.target.arrived).toMatchObject([
      { path: '/twice', body: 'same' },
      { path: '/twice', body: 'same', headers },
    ])
    if (how === 'in-turn') expect(text).toContain('"count":2')
    expect(on.proxy.exchanges()).toMatchObject([{ deliveries: [{ status: 200 }, { status: 200 }] }])
  })
})

describe('faults of answers', () => {
  it.each(['reset', 'end'] as const)('cut-answer sends exactly the given number of bytes, then %s', async (how) => {
    const whole = (await on.request().received).text.replace(/"count":\d+/, '"count":2')
    for (const atByte of [0, 1, 17, whole.length - 1]) {
      on.target.arrived.length = 1
      expect(await on.receive({ kind: 'cut-answer', atByte, how })).toMatchObject({
        text: whole.slice(0, atByte),
        ending: how,
      })
    }
  })

  it('cut-answer counts from the beginning of the body with `of: body`', async () => {
    const { text } = await on.receive({ kind: 'cut-answer', atByte: 3, of: 'body' }, '/events')
    expect(bodyOf(text)).toHaveLength(3)
  })

  it('cut-answer passes a shorter answer whole', async () => {
    expect(await on.receive({ kind: 'cut-answer', atByte: 100_000 })).toMatchObject({ ending: 'end' })
  })

  it.each([
    ['reset', 'reset', false],
    ['end', 'end', false],
    ['complete', 'end', true],
  ] as const)(
    'cut-stream ends a stream after the given number of events with data: %s',
    async (how, ending, isComplete) => {
      const received = await on.receive({ kind: 'cut-stream', afterEvents: 1, how }, '/events/live')
      expect(utf8(contentOf(received.text))).toBe(EVENTS.slice(0, 2).join(''))
      expect(received.text.endsWith('0\r\n\r\n')).toBe(isComplete)
      expect(received.ending).toBe(ending)
    },
  )

  it('half-open stops sending at a byte, and stays open until the client disconnects', async () => {
    on.proxy.inject({ fault: { kind: 'half-open', atByte: 9 } })
    const client = on.request()
    await client.until('HTTP/1.1 ')
    await on.proxy.untilExchange(({ isSilent }) => isSilent)
    expect(client.text()).toBe('HTTP/1.1 ')
    expect(on.proxy.exchanges()).toMatchObject([{ ending: null }])
    client.socket.destroy()
    await on.proxy.untilExchange(({ ending }) => ending === 'abandoned')
  })

  it('half-open stops sending after the given number of events, and keeps the connection to the target open', async () => {
    on.proxy.inject({ fault: { kind: 'half-open', afterEvents: 1 } })
    const client = on.request('/events/live')
    await client.until('}')
    await on.proxy.untilExchange(({ isSilent }) => isSilent)
    expect(client.text()).not.toContain('ping')
    expect(on.target.sockets.size).toBe(1)
    client.socket.destroy()
    await on.proxy.untilExchange(({ ending }) => ending === 'abandoned')
  })

  it('answer replaces the answer of the target', async () => {
    const { text } = await on.receive({
      kind: 'answer',
      status: 502,
      headers: { 'Content-Type': 'text/html', 'Retry-After': '7' },
      body: '<h1>Bad gateway</h1>',
    })
    expect(text).toBe(
      'HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nRetry-After: 7\r\ncontent-length: 20\r\n' +
        'connection: close\r\n\r\n<h1>Bad gateway</h1>',
    )
    expect(on.target.arrived).toEqual([])
  })

  it('answer can replace the answer after the target has processed the request', async () => {
    const { text } = await on.receive({ kind: 'answer', status: 504, reachesTarget: true })
    expect(text).toMatch(/^HTTP\/1\.1 504 /)
    expect(on.target.arrived).toHaveLength(1)
    expect(on.proxy.exchanges()).toMatchObject([{ deliveries: [{ status: 200 }] }])
  })

  it('answer can declare more bytes than it sends', async () => {
    const fault = { kind: 'answer', status: 200, headers: { 'content-length': '10' }, body: 'short' } as const
    expect(bodyOf((await on.receive(fault)).text)).toBe('short')
  })

  it('raw-answer sends recorded bytes again', async () => {
    const { text } = await on.request('/events').received
    const [exchange] = on.proxy.exchanges()
    const bytes = exchange?.answer ?? new Uint8Array()
    expect(Buffer.from(bytes).toString('latin1')).toBe(text)
    expect(await on.receive({ kind: 'raw-answer', bytes })).toMatchObject({ text, ending: 'end' })
    const cut = await on.receive([
      { kind: 'raw-answer', bytes },
      { kind: 'cut-answer', atByte: 5, of: 'body' },
    ])
    expect(cut.text).toBe(text.slice(0, text.length - bodyOf(text).length + 5))
    expect(on.target.arrived).toHaveLength(1)
  })

  it('gzip requests plain content and compresses it', async () => {
    on.proxy.inject({ fault: { kind: 'gzip' } })
    const client = on.request('/events')
    const { text } = await client.received
    expect(text).toContain('content-encoding: gzip')
    expect(on.target.arrived[0]?.headers['accept-encoding']).toBe('identity')
    expect(gunzipSync(Buffer.from(contentOf(text), 'latin1')).toString()).toBe(EVENTS.join(''))
  })

  it('gzip does not delay a live stream', async () => {
    on.proxy.inject({ fault: { kind: 'gzip' } })
    const response = await fetch(`${on.proxy.origin}/events/live`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('id: 2')) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
  })

  it('chunk can send each byte in a write of its own, even within characters and line ends', async () => {
    const { text, sizes } = await on.receive(
      [
        { kind: 'rewrite-line-endings', to: 'crlf' },
        { kind: 'chunk', every: 1 },
      ],
      '/events',
    )
    expect(utf8(contentOf(text))).toBe(EVENTS.join('').replaceAll('\n', '\r\n'))
    expect(Math.max(...sizes)).toBe(1)
  })

  it('chunk uses its sizes in turn', async () => {
    const { sizes } = await on.receive({ kind: 'chunk', sizes: [1, 12] })
    expect(sizes.slice(0, 4)).toEqual([1, 12, 1, 12])
  })

  it.each([
    ['lf', '\n'],
    ['cr', '\r'],
    ['crlf', '\r\n'],
  ] as const)('rewrite-line-endings writes %s', async (to, lineEnd) => {
    const { text } = await on.receive({ kind: 'rewrite-line-endings', to }, '/events')
    expect(utf8(contentOf(text))).toBe(EVENTS.join('').replaceAll('\n', lineEnd))
  })

  it('delay-answer delays the answer until the test releases it', async () => {
    const held = Promise.withResolvers<void>()
    on.proxy.inject({ fault: { kind: 'delay-answer', until: held.promise } })
    const client = on.request()
    await on.proxy.untilExchange(({ deliveries }) => deliveries[0]?.status === 200)
    expect(client.text()).toBe('')
    held.resolve()
    expect((await client.received).text).toContain('first')
  })
})
