import { createClient } from '../../src/client/create-client.ts'
import type { ClientOptions } from '../../src/client/options.ts'
import type { Fetch } from '../../src/transport/fetch.ts'
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

/** A client on manual time that sends its requests with this `fetch`. */
export const connectTo = (fetch: Fetch, options: ClientOptions = {}) => {
  const timing = createManualTiming()
  const client = createClient({ baseUrl: ORIGIN, apiKey: KEY, subject: SUBJECT, fetch, timing, ...options })
  return { client, timing }
}

/** A client whose requests get these replies, one after the other. */
export const connect = (replies: readonly Reply[], options: ClientOptions = {}) => {
  const { fetch, requests } = createScriptedFetch(...replies)
  return { ...connectTo(fetch, options), requests }
}
