import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { untilHolds } from '../support/until-holds.ts'
import { closeAll, closers, lab, listenTcp, NO_RESOLVER } from './network-lab.ts'

/** Receivers on loopback that misbehave. The tests move the time. */

afterEach(closeAll)

describe('a receiver that', () => {
  it('does not listen is a failure', async () => {
    const port = await listenTcp(() => {})
    await closers.pop()?.()
    expect(await lab(NO_RESOLVER).postTo(port)).toEqual({
      kind: 'failed',
      message: 'The receiver refused the connection.',
    })
  })

  it.each([
    ['at once', (socket: Socket) => void socket.resetAndDestroy()],
    ['after the request', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['within the head of its answer', (socket: Socket) => void socket.end('HTTP/1.1 200')],
  ])('drops the connection %s is a failure', async (_, onConnection) => {
    const port = await listenTcp(onConnection)
    expect(await lab(NO_RESOLVER).postTo(port)).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/closed before|not HTTP/),
    })
  })

  it('does not answer is a failure 10 seconds after the connection [CB-52]', async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const port = await listenTcp(
      (socket) => void socket.once('data', () => asked.resolve()).once('close', () => closed.resolve()),
    )
    const { postTo, timers } = lab(NO_RESOLVER)
    const result = postTo(port)
    await asked.promise
    timers.advance(10_000)
    expect(await result).toEqual({ kind: 'failed', message: 'The receiver did not answer within 10 seconds.' })
    await closed.promise
    expect(timers.pending).toBe(0)
  })

  it('sends its body too slowly is disconnected after 10 seconds, and its status 200 is used [CB-52, CB-53]', async () => {
    const port = await listenTcp(
      (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nd')),
    )
    const { postTo, timers } = lab(NO_RESOLVER)
    const result = postTo(port)
    let settled = false
    void result.then(() => {
      settled = true
    })
    await untilHolds(() => {
      timers.advance(1000)
      expect(settled).toBe(true)
    })
    expect(timers.now).toBeGreaterThanOrEqual(10_000)
    expect(await result).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^d?$/) })
  })

  it('drops the connection within the body has answered: its status is used [CB-23]', async () => {
    const port = await listenTcp(
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf')),
    )
    expect(await lab(NO_RESOLVER).postTo(port)).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: null,
      excerpt: 'half',
    })
  })

  it.each([
    ['something other than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'x-filler: aaaaaaaaaaaaaaaa\r\n'.repeat(5000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('answers with %s is a failure', async (_, answer) => {
    const port = await listenTcp((socket) => void socket.once('data', () => socket.write(answer)))
    expect((await lab(NO_RESOLVER).postTo(port)).kind).toBe('failed')
  })

  it('answers with bytes that are not text has its answer shortened to an excerpt that any database can store', async () => {
    const body = Buffer.concat([Buffer.from('a\0b'), Buffer.alloc(5000, 0xff)])
    const port = await listenTcp(
      (socket) =>
        void socket.once('data', () =>
          socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 500 X\r\ncontent-length: ${body.length}\r\n\r\n`), body])),
        ),
    )
    const result = await lab(NO_RESOLVER).postTo(port)
    const excerpt = result.kind === 'answered' ? result.excerpt : ''
    expect(excerpt).toMatch(/^ab\ufffd+$/)
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1024)
  })

  it('has a name server that does not answer is a failure after 10 seconds [CB-52]', async () => {
    const { post, timers } = lab({ resolve: () => new Promise(() => {}) })
    const result = post('https://receiver.test/')
    timers.advance(10_000)
    expect(await result).toMatchObject({
      kind: 'failed',
      message: 'There was no connection to the receiver within 10 seconds.',
    })
  })
})

it('an attempt that the gateway stops reports this and closes its connection', async () => {
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const port = await listenTcp(
    (socket) => void socket.once('data', () => asked.resolve()).once('close', () => closed.resolve()),
  )
  const stopping = new AbortController()
  const result = lab(NO_RESOLVER).post(`http://127.0.0.1:${port}/`, { isExempt: true, signal: stopping.signal })
  await asked.promise
  stopping.abort()
  expect(await result).toEqual({ kind: 'failed', message: 'The gateway was stopped during the attempt.' })
  await closed.promise
})
