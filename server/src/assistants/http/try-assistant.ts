import { newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found, refuse } from '@conversation-gateway/openapi/behaviour/refusal'
import type { EndpointTrial, TryEndpoint } from '@conversation-gateway/openapi/generated/admin-closed'
import { unknown } from '../../gateway/admin/outcomes.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import { sealRunToken } from '../../gateway/secrets/run-token.ts'
import { NO_SECRET_KEY, newSigningSecret } from '../../gateway/secrets/signing-secret.ts'
import type { Timers } from '../../runtime/timers.ts'
import { findService } from '../../store/admin/services.ts'
import { readHttpAssistant } from '../registry.ts'
import { AnswerFault } from './answer-fault.ts'
import type { HttpTarget } from './http.ts'
import { signRun } from './http.ts'
import { postRun } from './post-run.ts'
import type { AnswerEnd } from './read-answer.ts'
import { readAnswer } from './read-answer.ts'
import { runJson } from './run-json.ts'
import { openTarget } from './source.ts'

/** Timeout of both rehearsals together. */
const TRIAL_MS = 20_000
/** Maximum characters of the answer's text that are shown. */
const TEXT_CHARACTERS = 1000

/**
 * Posts rehearsals to the `http` assistant of a service and reports the faults of its answers. Nothing is stored.
 * Refuses a service with another assistant as INVALID_REQUEST.
 */
export const tryEndpoint = async (
  context: Pick<GatewayContext, 'db' | 'clock' | 'secrets'>,
  timers: Pick<Timers, 'after'>,
  appId: string,
  endpointId: string,
  { text = 'Hello' }: TryEndpoint,
): Promise<Found<EndpointTrial> | Refusal> => {
  const { db, clock, secrets } = context
  const service = await findService(db, appId, endpointId)
  if (service === null) return unknown('service', endpointId)
  const assistant = readHttpAssistant(service.assistant)
  if (assistant === null) return refuse('INVALID_REQUEST', 'The service has no http assistant to be tried.')
  if (secrets === null) return NO_SECRET_KEY
  const target = await openTarget(context, service, assistant)

  const now = clock.now()
  const runId = newId('run', now)
  const request = {
    appId,
    subject: 'rehearsal',
    endpointId,
    conversationId: newId('conv', now),
    generation: 1,
    runId,
    messageId: newId('msg', now),
    bindingVersion: service.publishedVersion,
    deadline: new Date(now.getTime() + TRIAL_MS),
    input: { text, data: null, dataText: null, resourceIds: [] },
    traceparent: null,
  }
  const runToken = sealRunToken(secrets, request)
  const body = Buffer.from(runJson({ request, context: [], runToken, resume: null, isRehearsal: true }))

  const ending = new AbortController()
  const cancelTimer = timers.after(TRIAL_MS, () => ending.abort())
  const post = (signedFor: HttpTarget) => {
    const signed = signRun(signedFor, { runId, traceparent: null, body }, clock.now().getTime())
    return postRun({ ...signed, firstByteMs: TRIAL_MS, signal: ending.signal }, timers)
  }
  try {
    const forgery = await acceptsForgery(() => post({ ...target, secret: newSigningSecret() }))
    const { fault, ...shown } = await readTrial(() => post(target), ending.signal)
    const faults = [fault, forgery ? FORGERY : null].filter((text) => text !== null)
    return found({ ok: faults.length === 0, faults, ...shown })
  } finally {
    cancelTimer()
  }
}

const FORGERY = 'expected status 401 for a forged webhook-signature; the assistant answered: verify the signature'

/** Whether the assistant accepts a request with a forged signature. */
const acceptsForgery = async (post: () => ReturnType<typeof postRun>): Promise<boolean> => {
  try {
    const answer = await post()
    await answer.close()
    return true
  } catch (error) {
    if (error instanceof AnswerFault) return false
    throw error
  }
}

type Trial = Omit<EndpointTrial, 'ok' | 'faults'> & { readonly fault: string | null }

const readTrial = async (post: () => ReturnType<typeof postRun>, signal: AbortSignal): Promise<Trial> => {
  const startMs = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startMs)
  let steps = 0
  let text = ''
  let firstStepMs: number | null = null
  const seen = () => ({
    steps,
    text: text.slice(0, TEXT_CHARACTERS),
    first_step_ms: firstStepMs,
    total_ms: elapsedMs(),
  })
  try {
    const answer = await post()
    try {
      const reading = readAnswer(answer)
      let turn = await reading.next()
      for (; turn.done !== true; turn = await reading.next()) {
        firstStepMs ??= elapsedMs()
        steps += 1
        if ('delta' in turn.value && text.length < TEXT_CHARACTERS) text += turn.value.delta
      }
      return { fault: null, code: null, ended: endOf(turn.value), ...seen() }
    } finally {
      await answer.close()
    }
  } catch (error) {
    if (!(error instanceof AnswerFault)) throw error
    const fault = signal.aborted
      ? `expected an end within ${TRIAL_MS / 1000} seconds, the limit of a trial`
      : error.message
    return { fault, code: error.code, ended: null, ...seen() }
  }
}

const endOf = (end: AnswerEnd): EndpointTrial['ended'] => ('end' in end ? end.end.state : 'approval')
