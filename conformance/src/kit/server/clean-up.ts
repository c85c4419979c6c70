import type { Snapshot } from '#openapi/generated/gateway'
import { createTranscript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import { type Caller, createCaller } from './caller.ts'
import { TERMINAL_STATES } from './context.ts'
import type { Pacer } from './pacer.ts'
import { type Answer, createWire, type WireRequest } from './wire.ts'

/** The time limit of the clean-up, as a multiple of `answerMs`. */
const ANSWER_TIMES = 2

/**
 * Cancels the unfinished runs of a check, so that they do not count against limits in later checks. Failures are
 * ignored, because the check already has its verdict.
 * @param worked The caller that used each conversation.
 */
export async function endUnfinishedWork(
  worked: ReadonlyMap<string, Pick<Caller, 'apiKey' | 'subject'>>,
  { baseUrl, answerMs, pacer }: { readonly baseUrl: string; readonly answerMs: number; readonly pacer: Pacer },
): Promise<void> {
  if (worked.size === 0) return
  const signal = AbortSignal.timeout(ANSWER_TIMES * answerMs)
  const wire = createWire({ baseUrl, answerMs, transcript: createTranscript(String), waits: createWaits(), signal })
  const send = (request: WireRequest): Promise<Answer> =>
    pacer.send(request, { attempt: () => wire.send(request), isMet: () => false, signal })
  await Promise.all(
    [...worked].map(async ([conversationId, { apiKey, subject }]) => {
      const caller = createCaller({ apiKey, subject, send, open: send, onConversation: () => {} })
      try {
        const { status, body } = await caller.snapshot(conversationId)
        if (status !== 200) return
        await Promise.all(unfinishedRuns(body).map((runId) => caller.cancel(runId)))
      } catch {
        // A server with invalid answers has already failed the check.
      }
    }),
  )
}

const unfinishedRuns = ({ runs }: Snapshot): string[] =>
  runs.filter(({ state }) => !TERMINAL_STATES.has(state)).map(({ run_id }) => run_id)
