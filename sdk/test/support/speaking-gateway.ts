import { createClient } from '../../src/client/create-client.ts'
import { createManualTiming } from './manual-timing.ts'
import { createAnsweringFetch, json, partly, type Reply, raw } from './scripted-fetch.ts'
import { ORIGIN } from './settings.ts'

export const ADMISSION = {
  conversation_id: 'conv_1',
  run_id: 'run_1',
  message_id: 'msg_1',
  generation: 1,
  state: 'queued',
  event_cursor: 4,
}

export const delta = (seq: number, message_id: string, text: string) => ({
  seq,
  type: 'assistant.delta',
  message_id,
  payload: { text },
})
export const whole = (seq: number, message_id: string, text: string) => ({
  seq,
  type: 'assistant.message',
  message_id,
  payload: { message: { message_id, content: { text } } },
})
export const some = (
  seq: number,
  type: string,
  payload: object = { state: type === 'run.completed' ? 'succeeded' : 'running' },
) => ({
  seq,
  type,
  run_id: 'run_1',
  payload,
})

export const frames = (events: readonly { seq: number; type: string }[]): Reply =>
  raw(
    200,
    events.map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    { 'content-type': 'text/event-stream' },
  )

/** A gateway whose run ends in the state, after the events. */
export const connect = (
  events: readonly { seq: number; type: string }[],
  state = 'succeeded',
  admit: Reply = json(202, ADMISSION),
) => {
  const { fetch, requests } = createAnsweringFetch((request) => {
    if (request.method === 'POST') return admit(request)
    return request.url.endsWith('/events') ? frames(events)(request) : json(200, { run_id: 'run_1', state })(request)
  })
  const timing = createManualTiming()
  const client = createClient({ baseUrl: ORIGIN, apiKey: 'gk_1', subject: 'customer-1', fetch, timing })
  return { client, timing, requests }
}

/** A gateway whose run streams some text and then stays silent. */
export const connectHanging = () => {
  const { fetch, requests } = createAnsweringFetch((request) =>
    request.method === 'POST'
      ? json(202, ADMISSION)(request)
      : partly(200, `id: 5\ndata: ${JSON.stringify(delta(5, 'msg_2', 'Hel'))}\n\n`, 'hangs', {
          'content-type': 'text/event-stream',
        })(request),
  )
  const timing = createManualTiming()
  return {
    timing,
    requests,
    client: createClient({ baseUrl: ORIGIN, apiKey: 'gk_1', subject: 'customer-1', fetch, timing }),
  }
}

export const CONVERSATION = { conversation_id: 'conv_1', generation: 1 }

export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

export const collect = async (texts: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = []
  for await (const text of texts) all.push(text)
  return all
}
