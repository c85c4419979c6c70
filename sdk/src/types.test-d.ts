/** Type tests of the public surface: a wrong line here fails the type check. */
import type {
  Admission,
  Answer,
  ApiError,
  Control,
  Conversation,
  ErrorCode,
  EventEnvelope,
  GatewayClient,
  KnownEvent,
  KnownRunState,
  Message,
  MessageList,
  NotSentError,
  Operation,
  Outcome,
  Pages,
  ReplayHandle,
  Resource,
  Run,
  RunState,
  Snapshot,
  UnknownEvent,
  UnknownOutcomeError,
} from './index.ts'
import { isApiError, isKnownRunState, isUnknownOutcome } from './index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T
type Resolved<Method extends (...input: never[]) => unknown> = Awaited<ReturnType<Method>>
type HandleOf<Method extends (...input: never[]) => { outcome(): Promise<unknown> }> =
  Extract<Awaited<ReturnType<ReturnType<Method>['outcome']>>, { kind: 'unknown' }> extends { handle: infer Handle }
    ? Handle
    : never

type Conversations = GatewayClient['conversations']
type Messages = GatewayClient['messages']
type Runs = GatewayClient['runs']
type Resources = GatewayClient['resources']

export type Results = [
  Expect<Equal<Resolved<Conversations['create']>, Conversation>>,
  Expect<Equal<Resolved<Conversations['get']>, Snapshot>>,
  Expect<Equal<Resolved<Conversations['reset']>, Control>>,
  Expect<Equal<Resolved<Messages['send']>, Admission>>,
  Expect<Equal<Resolved<Messages['list']>, MessageList>>,
  Expect<Equal<ReturnType<Messages['list']>, Pages<MessageList, Message>>>,
  Expect<Equal<Resolved<Runs['get']>, Run>>,
  Expect<Equal<Resolved<Runs['wait']>, Run>>,
  Expect<Equal<Resolved<GatewayClient['operations']['wait']>, Operation>>,
  Expect<Equal<Resolved<Resources['getContent']>, Blob>>,
  Expect<Equal<Resolved<Resources['putContent']>, Resource>>,
  Expect<Equal<Resolved<Resources['delete']>, void>>,
  Expect<Equal<Awaited<ReturnType<ReturnType<Runs['get']>['withResponse']>>, Answer<Run>>>,
]

export type Handles = [
  Expect<Equal<HandleOf<Messages['send']>, ReplayHandle<'sendMessage'>>>,
  Expect<Equal<HandleOf<Runs['create']>, ReplayHandle<'createRun'>>>,
  Expect<Equal<HandleOf<Runs['cancel']>, ReplayHandle<'cancelRun'>>>,
  Expect<Equal<HandleOf<Conversations['create']>, ReplayHandle<'createConversation'>>>,
  Expect<Equal<HandleOf<Conversations['reset']>, ReplayHandle<'resetConversation'>>>,
  Expect<Equal<HandleOf<Resources['create']>, ReplayHandle<'createResource'>>>,
  Expect<Equal<HandleOf<Resources['putContent']>, null>>,
  Expect<Equal<HandleOf<Resources['delete']>, null>>,
  // A read has no outcome.
  Expect<Equal<'outcome' extends keyof ReturnType<Runs['get']> ? true : false, false>>,
]

export type Enumerations = [
  // The known values stay visible for completion in editors; any other string is allowed too.
  Expect<Equal<RunState, KnownRunState | (string & {})>>,
  Expect<Equal<EventEnvelope, KnownEvent | UnknownEvent>>,
  Expect<Equal<ApiError['code'], ErrorCode | (string & {}) | null>>,
]

/** The three outcomes are distinguished by `kind`, and each has only its own members. */
export function narrowOutcome(outcome: Outcome<Admission, ReplayHandle<'sendMessage'>>): string {
  switch (outcome.kind) {
    case 'admitted': {
      const admission: Admission = outcome.data
      // @ts-expect-error an admitted outcome has no error
      void outcome.error
      return admission.run_id
    }
    case 'refused': {
      const error: ApiError | NotSentError = outcome.error
      // @ts-expect-error a refused outcome has no handle
      void outcome.handle
      return error.message
    }
    case 'unknown': {
      const error: UnknownOutcomeError<ReplayHandle<'sendMessage'>> = outcome.error
      // @ts-expect-error an unknown outcome has no data
      void outcome.data
      return outcome.handle.idempotencyKey + error.handle.operationId
    }
  }
}

/** A replay has the answer type of its handle's operation. */
export async function replay(client: GatewayClient, handle: ReplayHandle<'resetConversation'>): Promise<Control> {
  const control: Control = await client.replay(handle)
  // @ts-expect-error a reset is answered with an operation, not with an admission
  const admission: Admission = await client.replay(handle)
  void admission
  return control
}

/** A state of a later version reaches the default; a guard leaves only known states. */
export function narrowState(state: RunState): string {
  switch (state) {
    case 'succeeded':
      return 'done'
    default: {
      const later: string = state
      if (!isKnownRunState(state)) return later
      const known: KnownRunState = state
      return known
    }
  }
}

/** Each known type has its own payload; unknown types reach the default. */
export function narrowEvent(event: EventEnvelope): string | number {
  switch (event.type) {
    case 'assistant.delta':
      return event.payload.text
    case 'run.failed':
      // @ts-expect-error only a delta has a text
      void event.payload.text
      return event.payload.error.code
    case 'conversation.reset':
      return event.payload.previous_generation
    default:
      return event.seq
  }
}

export function narrowError(error: unknown): string {
  if (isUnknownOutcome(error)) return error.handle?.operationId ?? 'no key'
  if (isApiError(error, 'BUSY')) {
    const code: 'BUSY' = error.code
    return code + error.fields.map(({ message }) => message).join()
  }
  // @ts-expect-error without a code argument, `code` may be any
  if (isApiError(error)) return error.code === 'BUSY' ? '' : (error.code satisfies 'QUEUE_FULL')
  // @ts-expect-error not a code of the contract
  if (isApiError(error, 'BUSSY')) return ''
  return ''
}

/** Optional members may be undefined; lists are promises; any kind of Buffer is accepted as bytes. */
export function passOptions(client: GatewayClient, maybe: string | undefined, buffer: Buffer<ArrayBufferLike>): void {
  const list: Promise<MessageList> = client.messages.list('conv_1', {}, { requestId: maybe, signal: undefined })
  void list.catch(() => null)
  void client.runs.events('run_1', { after: undefined, headers: { traceparent: '00' }, requestId: maybe })
  void client.runs.wait('run_1', { timeoutMs: undefined, requestId: maybe })
  void client.resources.putContent('res_1', buffer)
  void client.resources.upload(buffer, { filename: maybe })
}

/** Bodies are exactly those of the contract. */
export function checkBodies(client: GatewayClient): void {
  void client.messages.send('conv_1', { expected_generation: 1, input: { text: 'Hello' } })
  void client.messages.send('conv_1', { expected_generation: 1, input: { data: { order: 1 } } })
  // @ts-expect-error input is missing
  void client.messages.send('conv_1', { expected_generation: 1 })
  // @ts-expect-error expected_generation is missing
  void client.messages.send('conv_1', { input: { text: 'Hello' } })
  // @ts-expect-error expected_generation is a number
  void client.messages.send('conv_1', { expected_generation: '1', input: { text: 'Hello' } })
  // @ts-expect-error there is no such member
  void client.messages.send('conv_1', { expected_generation: 1, input: { text: 'Hello' }, urgent: true })
  // @ts-expect-error there is no such member inside either
  void client.messages.send('conv_1', { expected_generation: 1, input: { text: 'Hello', urgent: true } })
  // @ts-expect-error a cancel has no body, only options
  void client.runs.cancel('run_1', { reason: 'none' })
  // @ts-expect-error the service is missing
  void client.conversations.list({})
  // @ts-expect-error reads have no key
  void client.runs.get('run_1', { idempotencyKey: 'a' })
  // @ts-expect-error uploads have no key either
  void client.resources.putContent('res_1', new Blob(), { idempotencyKey: 'a' })
  // @ts-expect-error an attachment is bytes, not a string, whose encoding would be unclear
  void client.resources.putContent('res_1', 'text')
  // @ts-expect-error a stream has no admission
  void client.conversations.events('conv_1').admission
}

/** A conversation's record is a valid target of `ask`. */
export function checkAsk(client: GatewayClient, conversation: Conversation): void {
  void client.ask(conversation, 'Hello')
  void client.ask({ endpoint_id: 'ep_1', conversation_key: 'order-1' }, { text: 'Hello' })
  // @ts-expect-error the generation is missing
  void client.ask({ conversation_id: 'conv_1' }, 'Hello')
}
