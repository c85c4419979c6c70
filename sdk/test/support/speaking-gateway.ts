import { connectTo } from './scripted-client.ts'
import { createAnsweringFetch, json, partly, type Reply, raw } from './scripted-fetch.ts'

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
  return { ...connectTo(fetch), requests }
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
  return { ...connectTo(fetch), requests }
}

export const CONVERSATION = { conversation_id: 'conv_1', generation: 1 }
