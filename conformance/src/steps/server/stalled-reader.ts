import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ServerContext } from '../../targets/server/context.ts'
import type { Frame } from '../../targets/server/frames.ts'
import { createFrameReader } from '../../targets/server/frames.ts'

/** A reader of a conversation's stream that takes nothing until it is told to. */
export interface StalledReader {
  /** Takes what there is until the other side ends the stream; resolves with the whole frames. */
  readToEnd(): Promise<readonly Frame[]>
  close(): void
}

/** Opens a stream outside of what the context counts: one stream more than the check has besides. */
export async function openStalledReader(
  { config: { baseUrl }, me }: ServerContext,
  conversationId: string,
  after: number,
): Promise<StalledReader> {
  const url = new URL(`/api/v1/conversations/${conversationId}/events?after=${after}`, baseUrl)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent: false,
      rejectUnauthorized: false,
      headers: {
        authorization: `Bearer ${me.apiKey}`,
        'x-service-subject': me.subject,
        accept: 'text/event-stream',
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      if (response.statusCode !== 200) {
        outgoing.destroy()
        reject(new Error(`expected an event stream, got ${response.statusCode}`))
        return
      }
      resolve({
        close: () => outgoing.destroy(),
        readToEnd: async () => {
          const frames: Frame[] = []
          const reader = createFrameReader((frame) => frames.push(frame))
          const decoder = new TextDecoder()
          try {
            for await (const chunk of response) reader.feed(decoder.decode(chunk, { stream: true }))
          } catch {
            // Being cut off is what is waited for.
          }
          return frames
        },
      })
    })
    outgoing.end()
  })
}
