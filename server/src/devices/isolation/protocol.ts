import type { AssistantRequest, ContextMessage, Decision, NewAssistantResource } from '../../assistants/assistant.ts'

/**
 * The messages between the gateway and a module's process, over Node's channel between parent and child. Only the
 * server uses them, so both ends always have the same version.
 */

/** A run, by a number that is unique in its process. */
type RunNumber = number

/** The plain data of a run's request; `data` is parsed from `dataText`. */
export type PlainRequest = Omit<
  AssistantRequest,
  'input' | 'signal' | 'readContext' | 'readResource' | 'createResource'
> & {
  readonly input: Omit<AssistantRequest['input'], 'data'>
}

export type ToModule =
  | { readonly type: 'start'; readonly run: RunNumber; readonly request: PlainRequest }
  /** Fires the run's signal. The gateway takes no further step of the run. */
  | { readonly type: 'stop'; readonly run: RunNumber }
  /** Steps of this cost have been performed, so the module may send more. */
  | { readonly type: 'room'; readonly run: RunNumber; readonly cost: number }
  /** The answer to an approval. */
  | { readonly type: 'reply'; readonly run: RunNumber; readonly reply: Decision | undefined }
  | { readonly type: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly call: number; readonly error: PlainError }
  | { readonly type: 'ping' }

export type FromModule =
  /** The process has started, and loads its module. */
  | { readonly type: 'started' }
  | { readonly type: 'loaded' }
  | { readonly type: 'unloadable'; readonly message: string; readonly cause?: PlainError }
  /** `step` is the unchecked value that the module yielded. */
  | { readonly type: 'step'; readonly run: RunNumber; readonly step: unknown; readonly cost: number }
  /** `outcome` is the unchecked value that the module returned. */
  | { readonly type: 'end'; readonly run: RunNumber; readonly outcome: unknown }
  | { readonly type: 'failure'; readonly run: RunNumber; readonly error: PlainError }
  | { readonly type: 'call'; readonly run: RunNumber; readonly call: number; readonly ask: Ask }
  /** The answer to a ping, with the bytes of buffers that the heap's limit does not count. */
  | { readonly type: 'pong'; readonly bufferBytes: number }

/** The calls of an assistant to the gateway. */
export type Ask =
  | { readonly method: 'readContext' }
  | { readonly method: 'readResource'; readonly resourceId: string }
  | { readonly method: 'readContent'; readonly resourceId: string }
  | { readonly method: 'createResource'; readonly resource: NewAssistantResource }

/** The type of the gateway's answer to each method of `Ask`. */
export interface Answers {
  readonly readContext: readonly ContextMessage[]
  readonly readResource: { readonly filename: string; readonly contentType: string; readonly size: number } | null
  readonly readContent: Uint8Array
  readonly createResource: string
}

/** An error as text, since any value may be thrown. */
export interface PlainError {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Cost of unperformed steps from which on a run waits, so that a fast module does not fill the gateway's memory. */
export const WINDOW_COST = 256 * 1024
/** The fixed cost of a step, besides its size. */
export const STEP_COST = 1024

export interface Outbox<Message> {
  post(message: Message): void
  /** Sends the pending messages. */
  flush(): void
}

/**
 * Sends the first message at once, and further messages of the same turn of the event loop together. So a single
 * message is not delayed, and many messages cost little more than one.
 */
export const createOutbox = <Message>(send: (batch: readonly Message[]) => void): Outbox<Message> => {
  let waiting: Message[] | null = null
  const flush = (): void => {
    const batch = waiting ?? []
    waiting = null
    if (batch.length > 0) send(batch)
  }
  return {
    post: (message) => {
      if (waiting !== null) {
        waiting.push(message)
        return
      }
      waiting = []
      setImmediate(flush)
      send([message])
    },
    flush,
  }
}
