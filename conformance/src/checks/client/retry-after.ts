import { json, problem, stream } from '../../kit/client/answers.ts'
import type { ClientCheck, ClientContext } from '../../kit/client/client-context.ts'
import { CommandError } from '../../kit/client/commands.ts'
import { expectThat } from '../../kit/client/expect.ts'
import { admission, EVENTS, eventEnvelope, frame, MESSAGE, MESSAGES, RUN, runRecord } from '../../kit/client/records.ts'
import type { Answering } from '../../kit/client/simulated-gateway.ts'

/** Tolerance of the measured wait: timers may fire early, and the request needs a moment to arrive. */
const EARLY_MS = 20

/**
 * Runs a command whose first request is refused with a Retry-After. Expects the client to wait at least that long
 * before the next attempt, or to report the refusal and its delay to the caller.
 */
const expectWaitOrReport = async (
  { gateway }: ClientContext,
  {
    path,
    method,
    waitMs,
    reportedEarlyMs = 0,
    run,
  }: {
    path: string
    method: string
    waitMs: () => number
    /** How much shorter than the wait the reported delay may be. */
    reportedEarlyMs?: number
    run: () => Promise<unknown>
  },
): Promise<void> => {
  const error = await run().then(
    () => null,
    (reason: unknown) => reason,
  )
  const [first, second] = gateway.to(method, path)
  expectThat(first, `The client must send ${method} ${path}`)
  if (second) {
    const waitedMs = second.arrivedAtMs - first.arrivedAtMs
    expectThat(
      waitedMs >= waitMs() - EARLY_MS,
      `The client must wait ${waitMs()} ms before it tries again, but waited ${Math.round(waitedMs)} ms`,
    )
    return
  }
  expectThat(
    error instanceof CommandError && error.kind === 'refused',
    `The client must retry, or report the refusal to its caller: ${error}`,
  )
  const reportedMs = Number(error.details.retry_after_ms)
  expectThat(
    reportedMs >= waitMs() - reportedEarlyMs,
    `The client must report the delay to its caller, but reports retry_after_ms ${reportedMs}`,
  )
}

const DIRECT = '/api/v1/agent-endpoints/ep_1/runs'

const ONE_SECOND = { 'Retry-After': '1' }
/** Longer than the delay of a client that reconnects without an instruction from the gateway. */
const THREE_SECONDS = { 'Retry-After': '3' }

const sendMeets = (context: ClientContext, refusal: Answering, waitMs: () => number, reportedEarlyMs = 0) => {
  context.gateway.on('POST', MESSAGES, refusal, json(202, admission()))
  return expectWaitOrReport(context, {
    method: 'POST',
    path: MESSAGES,
    waitMs,
    reportedEarlyMs,
    run: async () => (await context.open()).call('send_message', MESSAGE),
  })
}

export const checks: readonly ClientCheck[] = [
  {
    id: 'retry-after/queue-full',
    title: 'a message refused with 429 is not sent again before Retry-After',
    rules: ['ERR-15'],
    needs: ['send_message'],
    run: (context) => sendMeets(context, problem(429, 'QUEUE_FULL', ONE_SECOND), () => 1000),
  },
  {
    id: 'retry-after/unknown-code',
    title: 'Retry-After is obeyed for any code of a 429',
    rules: ['ERR-15'],
    needs: ['send_message'],
    run: (context) => sendMeets(context, problem(429, 'A_CODE_OF_TOMORROW', ONE_SECOND), () => 1000),
  },
  {
    id: 'retry-after/unavailable',
    title: 'a message refused with 503 is not sent again before Retry-After',
    rules: ['ERR-15'],
    needs: ['send_message'],
    run: (context) => sendMeets(context, problem(503, 'CAPABILITY_UNAVAILABLE', ONE_SECOND), () => 1000),
  },
  {
    id: 'retry-after/date',
    title: 'after a Retry-After that is a date, nothing is sent before that date',
    rules: ['ERR-15'],
    needs: ['send_message'],
    run: async (context) => {
      let waitMs = 0
      const refuse = () => {
        // Dates have whole seconds; this one is between one and two seconds ahead.
        const at = (Math.floor(Date.now() / 1000) + 2) * 1000
        waitMs = at - Date.now()
        return problem(429, 'PENDING_LIMIT', { 'Retry-After': new Date(at).toUTCString() })
      }
      // The client may compute the delay from the Date of the answer, which has whole seconds.
      await sendMeets(context, refuse, () => waitMs, 1000)
    },
  },
  {
    id: 'retry-after/direct-run',
    title: 'a direct run refused with 429 is not requested again before Retry-After',
    rules: ['ERR-15'],
    needs: ['create_run'],
    run: async (context) => {
      context.gateway.on('POST', DIRECT, problem(429, 'PENDING_LIMIT', ONE_SECOND), json(202, admission()))
      await expectWaitOrReport(context, {
        method: 'POST',
        path: DIRECT,
        waitMs: () => 1000,
        run: async () => (await context.open()).call('create_run', { endpoint_id: 'ep_1', input: MESSAGE.input }),
      })
    },
  },
  {
    id: 'retry-after/read',
    title: 'a read refused with 429 is not repeated before Retry-After',
    rules: ['ERR-15'],
    needs: ['read_run'],
    run: async (context) => {
      context.gateway.on('GET', RUN, problem(429, 'RATE_LIMITED', ONE_SECOND), json(200, runRecord('running')))
      await expectWaitOrReport(context, {
        method: 'GET',
        path: RUN,
        waitMs: () => 1000,
        run: async () => (await context.open()).call('read_run', { run_id: 'run_1' }),
      })
    },
  },
  {
    id: 'retry-after/stream',
    title: 'a stream refused with 429 is not requested again before Retry-After',
    rules: ['ERR-15'],
    needs: ['watch_conversation'],
    run: async (context) => {
      const event = frame(eventEnvelope(11, 'run.updated', { state: 'running' }))
      context.gateway.on('GET', EVENTS, problem(429, 'RATE_LIMITED', THREE_SECONDS), stream([event]))
      await expectWaitOrReport(context, {
        method: 'GET',
        path: EVENTS,
        waitMs: () => 3000,
        run: async () => {
          const watch = (await context.open()).start('watch_conversation', { conversation_id: 'conv_1', after: 10 })
          await Promise.race([watch.until('The client must deliver the event', ([item]) => item), watch.result])
        },
      })
    },
  },
]
