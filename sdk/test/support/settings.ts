import { type ClientOptions, resolveOptions, type Settings } from '../../src/client/options.ts'
import type { ReplayHandle } from '../../src/replay-handle.ts'
import type { Decision } from '../../src/transport/decision-report.ts'

export const ORIGIN = 'https://gateway.example.com'
export const KEY = 'gk_a-secret-key'

/** A client's settings, and its recorded decisions. */
export const settingsOf = (options: ClientOptions): Settings & { readonly decisions: readonly Decision[] } => {
  const decisions: Decision[] = []
  const settings = resolveOptions({
    baseUrl: ORIGIN,
    apiKey: KEY,
    ...options,
    onDecision: (decision) => decisions.push(decision),
  })
  return { ...settings, decisions }
}

/** A handle of a message, its time counted in milliseconds from the epoch. */
export const handleOf = (
  idempotencyKey: string,
  createdMs = 1_000_000,
  origin = ORIGIN,
): ReplayHandle<'sendMessage'> => ({
  version: 1,
  operationId: 'sendMessage',
  origin,
  method: 'POST',
  path: '/api/v1/conversations/conv_1/messages',
  subject: 'customer-1',
  idempotencyKey,
  body: '{"expected_generation":1,"input":{"text":"Größe 🚀"}}',
  status: 202,
  createdAt: new Date(createdMs).toISOString(),
  replayBefore: new Date(createdMs + 604_800_000).toISOString(),
})
