import { RunFailedError } from '../../errors.ts'
import type { Admission, MessageInput, Run } from '../../generated/gateway.ts'
import type { Conversations, Messages, Runs } from '../../generated/namespaces.ts'
import type { ReplayHandle } from '../../replay-handle.ts'
import type { DecisionListener } from '../../transport/decision-report.ts'
import type { Timing } from '../../transport/timing.ts'
import type { Mutation } from '../calls.ts'
import type { MutationOptions, WaitOptions } from '../options.ts'
import { type Answer, PendingCall } from '../pending-call.ts'
import { OutputMismatchError, type StandardSchema } from './output.ts'
import { createReply, type Reply } from './reply.ts'

/**
 * The target of `ask`: a conversation in the generation that the caller knows, or a service, which starts a direct run.
 */
export type AskTarget =
  | { readonly conversation_id: string; readonly generation: number }
  | { readonly endpoint_id: string; readonly conversation_key?: string | undefined }

/** The reply to a message that was sent here. */
export interface AskedReply extends Reply {
  /** The admission: rejects as any write does. */
  readonly admission: Mutation<Admission, ReplayHandle<'sendMessage' | 'createRun'>>
}

/** Options of an `ask` whose answer is data. */
export interface OutputOptions<Output> extends MutationOptions {
  /** The schema of the run's data: of Zod, Valibot, ArkType or another library with the interface Standard Schema. */
  readonly output: StandardSchema<Output>
}

/** The reply to a message whose answer is data. */
export interface DataReply<Output> extends AskedReply {
  /**
   * The run's data once the run has succeeded, as parsed by the schema.
   * @param options of the wait for the run's end, as in `run()`.
   * @throws {RunFailedError} the run ended without success.
   * @throws {OutputMismatchError} the run succeeded with other data or none.
   */
  data(options?: WaitOptions): Promise<Output>
}

/** Options of `client.follow()`. */
export interface FollowOptions extends Pick<WaitOptions, 'signal' | 'headers' | 'requestId'> {
  /**
   * The seq of the last piece that was read, also as the `Last-Event-ID` of a browser. A value that is not a seq is
   * ignored. Default: the run's beginning.
   */
  readonly after?: number | string | null | undefined
}

export interface AskPort {
  readonly conversations: Conversations
  readonly messages: Messages
  readonly runs: Runs
  readonly timing: Timing
  readonly report: DecisionListener
}

/** Sends the input and returns its reply. The request is sent immediately. */
export function ask(
  port: AskPort,
  target: AskTarget,
  input: string | MessageInput,
  options?: MutationOptions,
): AskedReply {
  const body = typeof input === 'string' ? { text: input } : input
  const admission: AskedReply['admission'] =
    'conversation_id' in target
      ? port.messages.send(target.conversation_id, { expected_generation: target.generation, input: body }, options)
      : port.runs.create(target.endpoint_id, { input: body, ...keyOf(target) }, options)
  const sent = admission instanceof PendingCall ? admission : null
  const peeked: Promise<Answer<Admission>> = sent ? sent.peek() : admission.withResponse()
  // Reading the reply rejects with this error; an unread reply must not cause an unhandled rejection.
  peeked.catch(() => {})
  const reply = createReply({
    ...port,
    options: { signal: options?.signal },
    onTaken: () => sent?.take(),
    start: async () => {
      const { run_id, conversation_id, event_cursor } = (await peeked).data
      return { runId: run_id, conversationId: conversation_id, after: event_cursor, isResumed: false }
    },
  })
  return Object.assign(reply, { admission })
}

/** As `ask`, for an answer that is data. */
export function askForData<Output>(
  port: AskPort,
  target: AskTarget,
  input: string | MessageInput,
  { output, ...options }: OutputOptions<Output>,
): DataReply<Output> {
  if (output['~standard']?.validate === undefined)
    throw new TypeError('output is not a Standard Schema: give it a schema of Zod, Valibot, ArkType or the like.')
  const reply = ask(port, target, input, options)
  const data: DataReply<Output>['data'] = async (wait) => readOutput(await reply.run(wait), output)
  return Object.assign(reply, { data })
}

/** The reply of a run that is in progress or has ended. */
export function follow(port: AskPort, runId: string, { after, ...options }: FollowOptions = {}): Reply {
  const position = /^\d{1,15}$/.test(String(after)) ? Number(after) : undefined
  return createReply({
    ...port,
    options,
    onTaken: () => {},
    start: async () => {
      const { conversation_id } = await port.runs.get(runId, options)
      return { runId, conversationId: conversation_id, after: position, isResumed: position !== undefined }
    },
  })
}

const keyOf = ({ conversation_key: key }: { readonly conversation_key?: string | undefined }) =>
  key === undefined ? {} : { conversation_key: key }

/** The data of a run that has ended, as parsed by the schema. @throws as `DataReply.data` does. */
async function readOutput<Output>(
  { run_id: runId, state, result }: Run,
  schema: StandardSchema<Output>,
): Promise<Output> {
  if (state !== 'succeeded')
    throw new RunFailedError({ runId, state, error: result?.error ?? null, text: result?.text ?? '' })
  const data = result?.data
  const checked = await schema['~standard'].validate(data)
  if (checked.issues) throw new OutputMismatchError({ runId, issues: checked.issues, data })
  return checked.value
}
