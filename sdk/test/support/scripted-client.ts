import { createClient } from '../../src/client/create-client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import { createManualTiming } from './manual-timing.ts'
import { createScriptedFetch, type Reply } from './scripted-fetch.ts'
import { KEY, ORIGIN } from './settings.ts'

export const SUBJECT = 'customer-4711'
export const BODY = { expected_generation: 1, input: { text: 'the private words' } }
export const ADMISSION = {
  conversation_id: 'conv_1',
  run_id: 'run_1',
  message_id: 'msg_1',
  generation: 1,
  event_cursor: 0,
}

export const connect = (replies: readonly Reply[], options: ClientOptions = {}) => {
  const script = createScriptedFetch(...replies)
  const timing = createManualTiming()
  const all = { baseUrl: ORIGIN, apiKey: KEY, subject: SUBJECT, fetch: script.fetch, timing, ...options }
  return { client: createClient(all), timing, requests: script.requests }
}
