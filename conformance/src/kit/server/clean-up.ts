import type { Snapshot } from '#openapi/generated/gateway'
import { createTranscript } from '../transcript.ts'
import { createWaits } from '../waits.ts'
import { type Caller, createCaller } from './caller.ts'
import { TERMINAL_STATES } from './context.ts'
import type { Pacer } from './pacer.ts'
import { type Answer, createWire, type WireRequest } from './wire.ts'

/** The clean-up ends after the time of this many answers. */
const MOST_ANSWERS = 2

/**
 * Cancels what a check left unfinished, so that it counts against no limit of the checks that follow. Failures are ignored: the check
 * already has its verdict.
 * @param worked who has worked in which conversation.
 */
export async function endUnfinishedWork(
  worked: ReadonlyMap<string, Pick<Caller, 'apiKey' | 'subject'>>,
  { baseUrl, answerMs, pacer }: { readonly baseUrl: string; readonly answerMs: number; readonly pacer: Pacer },
): Promise<void> {
  if (worked.size === 0) return
  const signal = AbortSignal.timeout(MOST_ANSWERS * answerMs)
  const wire = createWire({ baseUrl, answerMs, transcript: createTranscript(String), waits: createWaits(), signal })
  const send = (request: WireRequest): Promise<Answer> =>
    pacer.send(request, { attempt: () => wire.send(request), isMet: () => false, signal })
  await Promise.all(
    [...worked].map(async ([conversationId, { apiKey, subject }]) => {
      const caller = createCaller({
        apiKey,
        subject,
        send,
        open: send,
        onConversation: () => {},
      })
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
