import { signPayload } from '../../domain/webhook-signature.ts'
import type { WorkerLog } from '../../runtime/log.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Assistant, AssistantRequest } from '../assistant.ts'
import { AnswerFault } from './answer-fault.ts'
import type { RunPost } from './post-run.ts'
import { postRun } from './post-run.ts'
import type { AnswerEnd } from './read-answer.ts'
import { readAnswer } from './read-answer.ts'
import type { Resume } from './run-json.ts'
import { runJson } from './run-json.ts'

/** The decrypted URL and secret of a service. */
export interface HttpTarget {
  readonly url: URL
  /** Signs the requests. */
  readonly secret: string
}

export interface HttpConfig {
  /** @throws Error that says why the URL or the secret cannot be read. */
  readonly openTarget: (request: Pick<AssistantRequest, 'appId' | 'endpointId'>) => Promise<HttpTarget>
  /** A bearer token of the worker API, valid for this run until it ends. */
  readonly tokenOf: (request: Pick<AssistantRequest, 'appId' | 'runId'>) => string
  readonly firstByteMs: number
}

export interface HttpTools {
  readonly timers: Pick<Timers, 'after'>
  /** The time in milliseconds since 1970, which the signature covers. */
  readonly nowMs: () => number
  /** Logs each missing or invalid answer, with what was expected. */
  readonly log: Pick<WorkerLog, 'warn'>
}

/**
 * Posts the run to a service of the operator, signed like a callback, and reads steps from its answer (D-66). A run is
 * posted once, without retries, and again after each approval, with the state that the assistant sent. A stop closes
 * the connection. A missing or invalid answer ends the run with the code of an `AnswerFault`, and the log says what was
 * expected.
 */
export const createHttp = ({ openTarget, tokenOf, firstByteMs }: HttpConfig, tools: HttpTools): Assistant =>
  async function* (request) {
    const { runId, endpointId, signal, traceparent } = request
    const [target, context] = await Promise.all([openTarget(request), request.readContext()])
    const runToken = tokenOf(request)
    try {
      for (let resume: Resume | null = null; ; ) {
        const body = Buffer.from(runJson({ request, context, runToken, resume }))
        const signed = signRun(target, { runId, traceparent, body }, tools.nowMs())
        const answer = await postRun({ ...signed, firstByteMs, signal }, tools.timers)
        let last: AnswerEnd
        try {
          last = yield* readAnswer(answer)
        } finally {
          await answer.close()
        }
        if ('end' in last) return last.end
        const decision = yield { approval: last.approval }
        if (decision === undefined) return undefined
        resume = { decision, stateText: last.stateText }
      }
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof AnswerFault)) throw error
      tools.log.warn(
        { run_id: runId, endpoint_id: endpointId, code: error.code },
        `an http assistant gave no valid answer: ${error.message}`,
      )
      return error.outcome
    }
  }

/** The request for a run, signed with the current time. */
export const signRun = (
  { url, secret }: HttpTarget,
  run: { readonly runId: string; readonly traceparent: string | null; readonly body: Uint8Array },
  nowMs: number,
): Pick<RunPost, 'url' | 'headers' | 'body'> => {
  const { runId, traceparent, body } = run
  const timestamp = String(Math.floor(nowMs / 1000))
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': body.byteLength,
      accept: 'application/x-ndjson, text/event-stream, application/json',
      'user-agent': 'conversation-gateway',
      'webhook-id': runId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signPayload({ id: runId, timestamp, body }, secret),
      ...(traceparent === null ? {} : { traceparent }),
    },
  }
}
