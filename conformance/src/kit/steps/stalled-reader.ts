import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ServerContext } from '../server/context.ts'
import type { Frame } from '../server/frames.ts'
import { createFrameReader } from '../server/frames.ts'
import { utf8Header } from '../utf8-header.ts'

/** A reader of a conversation's stream that reads nothing until it is resumed. */
export interface StalledReader {
  /**
   * Reads until the event with this seq arrives or the gateway ends the stream. Resolves with the complete frames.
   * @throws {Error} Neither happens within `answerMs`.
   */
  readUpTo(seq: number): Promise<readonly Frame[]>
  close(): void
}

/** Opens a stream that the context does not count. The check declares it in `streams`. */
export async function openStalledReader(
  { config: { baseUrl }, me, signal, waits, answerMs }: ServerContext,
  conversationId: string,
  after: number,
): Promise<StalledReader> {
  const url = new URL(`/api/v1/conversations/${conversationId}/events?after=${after}`, baseUrl)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent: false,
      signal,
      rejectUnauthorized: false,
      headers: {
        authorization: `Bearer ${me.apiKey}`,
        'x-service-subject': utf8Header(me.subject),
        accept: 'text/event-stream',
      },
    })
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer began within ${answerMs} ms`)), answerMs)
    outgoing.on('error', reject)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('response', (response) => {
      clearTimeout(timer)
      if (response.statusCode !== 200) {
        outgoing.destroy()
        reject(new Error(`expected an event stream, got ${response.statusCode}`))
        return
      }
      resolve({
        close: () => outgoing.destroy(),
        readUpTo: (seq) =>
          waits.during(`event ${seq}, or the end of a stream that was not read`, drain(response, seq, answerMs)),
      })
    })
    outgoing.end()
  })
}

async function drain(response: IncomingMessage, lastSeq: number, limitMs: number): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  const reader = createFrameReader((frame) => frames.push(frame))
  const decoder = new TextDecoder()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    response.destroy()
  }, limitMs)
  try {
    for await (const chunk of response) {
      reader.feed(decoder.decode(chunk, { stream: true }))
      if (frames.some(({ data, id }) => data !== undefined && Number(id) >= lastSeq)) break
    }
  } catch {
    // A broken connection ends the stream as well.
  } finally {
    clearTimeout(timer)
  }
  if (isLate) throw new Error(`a stream delivered neither event ${lastSeq} nor its end within ${limitMs} ms`)
  return frames
}
