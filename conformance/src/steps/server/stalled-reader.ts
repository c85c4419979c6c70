import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ServerContext } from '../../targets/server/context.ts'
import type { Frame } from '../../targets/server/frames.ts'
import { createFrameReader } from '../../targets/server/frames.ts'
import { utf8Header } from '../../utf8-header.ts'

/** A reader of a conversation's stream that takes nothing until it is told to. */
export interface StalledReader {
  /**
   * Takes what there is until the other side ends the stream; resolves with the whole frames. @throws {Error} the end does not
   * come within a single answer's time.
   */
  readToEnd(): Promise<readonly Frame[]>
  close(): void
}

/** Opens a stream outside of what the context counts: one stream more than the check has besides. */
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
        readToEnd: () => waits.during('the end of a stream that nobody read', drain(response, answerMs)),
      })
    })
    outgoing.end()
  })
}

async function drain(response: IncomingMessage, patienceMs: number): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  const reader = createFrameReader((frame) => frames.push(frame))
  const decoder = new TextDecoder()
  let isCutOff = true
  const giveUp = (): void => {
    isCutOff = false
    response.destroy()
  }
  // One time for the whole: a stream that goes on brings a ping every now and then, for ever.
  const timer = setTimeout(giveUp, patienceMs)
  try {
    for await (const chunk of response) reader.feed(decoder.decode(chunk, { stream: true }))
  } catch {
    // Being cut off is what is waited for.
  } finally {
    clearTimeout(timer)
  }
  if (!isCutOff)
    throw new Error(`a reader that took nothing was not cut off: its stream goes on with ${frames.length} frames`)
  return frames
}
