import type { OutgoingRequest } from '../../src/transport/attempt.ts'
import { type Intention, sendUntilSettled } from '../../src/transport/send.ts'
import { createManualTiming, type ManualTiming } from './manual-timing.ts'
import { json, type ScriptedFetch } from './scripted-fetch.ts'
import { handleOf, settingsOf } from './settings.ts'

export const HANDLE = handleOf('key-1')
type Write = Pick<Intention, 'handle' | 'mayHaveHappened'> & { readonly repeat?: Intention['repeat'] }
export const KEYED: Write = { handle: HANDLE, mayHaveHappened: false }
export const REPLAYED: Write = { handle: HANDLE, mayHaveHappened: true }
export const KEYLESS: Write = { handle: null, mayHaveHappened: false }

interface Case
  extends Partial<
    Pick<Intention, 'signal' | 'timeoutMs' | 'attemptTimeoutMs' | 'maxAttempts' | 'expected' | 'status'>
  > {
  readonly script: ScriptedFetch
  readonly write?: Write | null
  readonly method?: string
  readonly timing?: ManualTiming
}

export const send = ({
  script,
  write = null,
  method = write ? 'POST' : 'GET',
  timing = createManualTiming(),
  ...rest
}: Case) => {
  const settings = settingsOf({ fetch: script.fetch, timing })
  const request: OutgoingRequest = {
    url: 'https://gateway.example.com/api/v1/x',
    method,
    headers: new Headers(write?.handle ? { 'Idempotency-Key': write.handle.idempotencyKey } : {}),
    body: write ? new TextEncoder().encode(HANDLE.body) : undefined,
  }
  const sent = sendUntilSettled(settings, request, {
    operationId: 'sendMessage',
    expected: 'json',
    status: method === 'DELETE' ? 204 : write ? 202 : 200,
    isWrite: write !== null,
    handle: write?.handle ?? null,
    repeat: write?.repeat ?? 'again',
    mayHaveHappened: write?.mayHaveHappened ?? false,
    signal: undefined,
    timeoutMs: 120_000,
    attemptTimeoutMs: 30_000,
    maxAttempts: Number.POSITIVE_INFINITY,
    ...rest,
  })
  sent.catch(() => {})
  return { sent, settings, timing, ended: () => timing.drive(sent.catch((error: unknown) => error)) }
}

export const ADMITTED = json(202, { run_id: 'run_1' })
