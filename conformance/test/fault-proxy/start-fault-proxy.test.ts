import { describe, expect, it } from 'vitest'
import { startFaultProxy } from '../../src/run/fault-proxy/index.ts'
import { bodyOf, rawRequest, startTarget, useProxy } from './test-setup.ts'

const on = useProxy()

describe('without a fault', () => {
  it('forwards method, path, headers and body, and the answer', async () => {
    const client = on.request('/a%2Fb?c=d&c', { method: 'POST', body: 'héllo' })
    const { text, ending } = await client.received
    expect(on.target.arrived).toMatchObject([
      { method: 'POST', path: '/a%2Fb?c=d&c', body: 'héllo', headers: { 'idempotency-key': 'k1' } },
    ])
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(bodyOf(text)).toContain('"name":"first"')
    expect(ending).toBe('end')
  })

  it('forwards the events of a stream that is still open', async () => {
    const client = on.request('/events/live')
    await client.until('id: 2')
    expect(on.proxy.exchanges()).toMatchObject([{ ending: null }])
    client.socket.destroy()
    await on.proxy.untilExchange(({ ending }) => ending === 'abandoned')
  })

  it('closes the connection to the target when the client disconnects', async () => {
    const client = on.request('/events/live')
    await client.until('id: 2')
    const [atTarget] = on.target.sockets
    const closed = new Promise((resolve) => atTarget?.once('close', resolve))
    client.socket.destroy()
    await closed
  })

  it('breaks the connection to the client when the connection to the target breaks', async () => {
    const client = on.request('/events/live')
    await client.until('id: 2')
    for (const socket of on.target.sockets) socket.resetAndDestroy()
    expect((await client.received).ending).toBe('reset')
  })

  it('resets the connection when the target cannot be reached', async () => {
    await on.target.close()
    const { text, ending } = await on.request().received
    expect({ text, ending }).toEqual({ text: '', ending: 'reset' })
    expect(on.proxy.exchanges()).toMatchObject([{ deliveries: [], ending: 'reset' }])
  })

  it('sends further requests to another target after its target is changed', async () => {
    const second = await startTarget('second')
    await on.request().received
    on.proxy.target = second.origin
    expect((await on.request().received).text).toContain('second')
    on.proxy.target = null
    expect(await on.request().received).toMatchObject({ text: '', ending: 'reset' })
    await second.close()
  })
})

describe('a rule of the proxy', () => {
  const answer = { kind: 'answer', status: 418 } as const
  const statusOf = async (path: string, method = 'GET'): Promise<string> =>
    (await on.request(path, { method }).received).text.slice(9, 12)

  it('selects requests by method, path and number', async () => {
    on.proxy.inject({ method: 'POST', path: '/x', fault: answer, times: 2 })
    expect(await statusOf('/x')).toBe('200')
    expect(await statusOf('/y', 'POST')).toBe('200')
    expect(await statusOf('/x?after=1', 'POST')).toBe('418')
    expect(on.proxy.waitingFaults()).toBe(1)
    expect(await statusOf('/x', 'POST')).toBe('418')
    expect(await statusOf('/x', 'POST')).toBe('200')
    expect(on.proxy.waitingFaults()).toBe(0)
  })

  it('applies if it is the oldest match, with regular expressions tested against the query, too', async () => {
    on.proxy.inject({ path: /after=7/, fault: answer })
    on.proxy.inject({ fault: { kind: 'answer', status: 503 }, times: Number.POSITIVE_INFINITY })
    expect(await statusOf('/x')).toBe('503')
    expect(await statusOf('/x?after=7')).toBe('418')
    expect(await statusOf('/x?after=7')).toBe('503')
    on.proxy.clearFaults()
    expect(await statusOf('/x')).toBe('200')
  })

  it('is refused if a position or size is invalid', () => {
    expect(() => on.proxy.inject({ fault: { kind: 'chunk', every: 0 } })).toThrow(RangeError)
    expect(() => on.proxy.inject({ fault: { kind: 'chunk', sizes: [] } })).toThrow(RangeError)
    expect(() => on.proxy.inject({ fault: { kind: 'cut-answer', atByte: -1 } })).toThrow(RangeError)
    expect(() => on.proxy.inject({ fault: [{ kind: 'half-open', afterEvents: 0.5 }] })).toThrow(/afterEvents/)
  })
})

describe('the proxy', () => {
  it('resets all connections on request, and still serves new ones', async () => {
    const client = on.request('/events/live')
    await client.until('id: 2')
    on.proxy.resetConnections()
    expect((await client.received).ending).toBe('reset')
    expect((await on.request().received).ending).toBe('end')
  })

  it('leaves no socket open when it is closed, even with hanging exchanges', async () => {
    on.proxy.inject({ fault: { kind: 'half-open', atByte: 0 } })
    on.proxy.inject({ fault: { kind: 'delay-answer', until: new Promise(() => {}) } })
    const clients = [on.request(), on.request(), on.request('/events/live')]
    await clients[2]?.until('id: 2')
    const waiting = expect(on.proxy.untilExchange(() => false)).rejects.toThrow('closed')
    await on.proxy.close()
    await waiting
    const endings = await Promise.all(clients.map(({ received }) => received))
    expect(endings.map(({ ending }) => ending)).toEqual(['reset', 'reset', 'reset'])
    await Promise.all([...on.target.sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    expect(on.target.sockets.size).toBe(0)
  })

  it('keeps at most the configured number of exchanges and bytes', async () => {
    const proxy = await startFaultProxy({ target: on.target.origin, recordExchanges: 2, recordBytes: 8 })
    for (const path of ['/1', '/2', '/3']) await rawRequest(proxy.origin, path).received
    expect(proxy.exchanges().map(({ path }) => path)).toEqual(['/2', '/3'])
    expect(proxy.exchanges()[1]?.answer).toHaveLength(8)
    proxy.clearExchanges()
    expect(proxy.exchanges()).toEqual([])
    await proxy.close()
  })
})
