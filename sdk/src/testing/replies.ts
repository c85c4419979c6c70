import type { ActivityUpdate } from '../../../openapi/src/behaviour/activities.ts'
import { wordsOf } from '../../../openapi/src/behaviour/echo.ts'
import type { RunOutcome } from '../../../openapi/src/behaviour/finish-run.ts'
import type { MessageInput, RunUsage } from '../generated/gateway.ts'

/** How a run ends. `text` sets the result's text; the streamed message stays unchanged (D-45). */
export type RunEnding =
  | {
      readonly succeed: {
        readonly text?: string
        readonly resource_ids?: readonly string[]
        readonly data?: Readonly<Record<string, unknown>>
        readonly usage?: RunUsage
      }
    }
  | { readonly fail: { readonly code: string; readonly message: string; readonly retryable?: boolean } }
  | { readonly interrupt: true }

/** One step of the assistant, in the vocabulary of the gateway's `script` assistant (D-45). */
export type ReplyStep =
  /** A piece of the streamed message. */
  | { readonly delta: string }
  /** A complete message of its own, without deltas. */
  | { readonly message: string }
  /** Begins or changes an activity (D-69). */
  | { readonly activity: ActivityUpdate }
  /** Waits for `gateway.decide`; if denied, the run fails with APPROVAL_DENIED. */
  | { readonly approval: string }
  /** Runs until it is stopped, or ended by `gateway.finish`. */
  | { readonly hang: true }
  | RunEnding

/**
 * The assistant's behaviour for one run: a text that is streamed by word, a list of steps, or a function of the input
 * that returns either. Steps without a `RunEnding` succeed with the concatenated deltas.
 */
export type Reply = string | readonly ReplyStep[] | ((input: MessageInput) => string | readonly ReplyStep[])

export const outcomeOf = (ending: RunEnding): RunOutcome => {
  if ('succeed' in ending) {
    const { resource_ids, ...members } = ending.succeed
    return { state: 'succeeded', ...members, ...(resource_ids === undefined ? {} : { resourceIds: [...resource_ids] }) }
  }
  if ('fail' in ending) return { state: 'failed', error: { retryable: false, ...ending.fail } }
  return { state: 'interrupted' }
}

/** Streams the input's text back by word, or the JSON of its data if there is no text (D-44). */
export const echo = (input: MessageInput): string =>
  input.text || (input.data === undefined ? '' : JSON.stringify(input.data))

/** The steps of the reply to an input. Throws TypeError for steps that no gateway could execute. */
export const replySteps = (reply: Reply, input: MessageInput): ReplyStep[] =>
  stepsOf(typeof reply === 'function' ? reply(input) : reply)

/** Throws TypeError for a reply that no gateway could give. A function is checked when it is called. */
export const checkReply = (reply: Reply): void => {
  if (typeof reply !== 'function') stepsOf(reply)
}

const stepsOf = (given: string | readonly ReplyStep[]): ReplyStep[] => {
  if (typeof given === 'string') return wordsOf(given).map((delta) => ({ delta }))
  const begun = new Set<string>()
  for (const step of given) {
    if ('activity' in step) {
      const { activity_id, kind, name } = step.activity
      if (!begun.has(activity_id) && (kind === undefined || name === undefined))
        throw new TypeError(
          `A reply begins the activity ${JSON.stringify(activity_id)} without a ${kind === undefined ? 'kind' : 'name'}.`,
        )
      begun.add(activity_id)
    }
    if ('fail' in step && !ERROR_CODE.test(step.fail.code))
      throw new TypeError(
        `A reply fails with the code ${JSON.stringify(step.fail.code)}; codes are upper-case, like MODEL_UNAVAILABLE.`,
      )
  }
  return [...given]
}

/** The format of error codes in the contract (D-16). */
const ERROR_CODE = /^[A-Z][A-Z0-9_]*$/
