// Generated from openapi/gateway.yaml by `npm run generate`. Do not edit.

import type { Bytes } from '../client/upload.ts'
import type { Call, Calls, Mutation, Pages } from '../client/calls.ts'
import { eventsFromNow } from '../client/wait.ts'
import type { CallOptions, MutationOptions, PageOptions, WaitOptions } from '../client/options.ts'
import type { StreamOptions } from '../events/stream-source.ts'
import type { EventStream } from '../events/subscribe.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { OPERATIONS } from './operations.ts'
import type { Admission, AgentEndpoint, Control, Conversation, ConversationList, CreateConversation, CreateResource, CreateRun, ListConversationsQuery, ListMessagesQuery, Message, MessageList, Operation, ResetConversation, Resource, Run, SendMessage, Snapshot } from './gateway.ts'

/** Durable business conversations and their generations. */
export class Conversations {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * List conversations.
   * The conversations of the service's device for this application and subject, newest first; not necessarily only those of that service. With a `conversation_key`, the list contains only the conversation of that service and key, if there is one.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(query: ListConversationsQuery, options?: PageOptions): Pages<ConversationList, Conversation> {
    return this.#calls.pages(OPERATIONS.listConversations, options, { query }, {
      items: (page) => page.conversations,
      continueFrom: 'last',
      next: (item) => ({ before: item.conversation_id }),
    })
  }

  /**
   * Create a conversation.
   * Binds a new conversation to a published service. Stops no work in any other conversation.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, BUSY, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateConversation, options?: MutationOptions): Mutation<Conversation, ReplayHandle<'createConversation'>> {
    return this.#calls.call(OPERATIONS.createConversation, options, { body })
  }

  /**
   * Read a conversation snapshot.
   * One consistent read of the conversation's recent messages and runs, with the position from which to follow its events. To initialise a view, read the snapshot first and subscribe from its `watermark`.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(conversationId: string, options?: CallOptions): Call<Snapshot> {
    return this.#calls.call(OPERATIONS.getConversation, options, { path: { conversation_id: conversationId } })
  }

  /**
   * Observe conversation events.
   * Server-sent events of the whole conversation, resumable at any retained seq (D-28 to D-31).
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, NOT_ACCEPTABLE, CURSOR_EXPIRED, STREAM_LIMIT, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  events(conversationId: string, options?: StreamOptions): EventStream {
    return this.#calls.stream(OPERATIONS.streamConversationEvents, options, { path: { conversation_id: conversationId } }, {
      of: conversationId,
      end: null,
    })
  }

  /**
   * Reset a conversation.
   * Starts a new context: once the operation has succeeded the generation has grown by 1 and the service's current published version is adopted. Keeps the ID and the business association; undoes no file changes or external actions (D-21).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, GENERATION_CONFLICT, BUSY, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  reset(conversationId: string, body: ResetConversation, options?: MutationOptions): Mutation<Control, ReplayHandle<'resetConversation'>> {
    return this.#calls.call(OPERATIONS.resetConversation, options, { path: { conversation_id: conversationId }, body })
  }
}

/** Sending input and reading history. */
export class Messages {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Read message history.
   * Pages of the retained messages, from the newest page backwards; each page is ordered oldest to newest. Old generations stay readable after a reset.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  list(conversationId: string, query: ListMessagesQuery = {}, options?: PageOptions): Pages<MessageList, Message> {
    return this.#calls.pages(OPERATIONS.listMessages, options, { path: { conversation_id: conversationId }, query }, {
      items: (page) => page.messages,
      continueFrom: 'first',
      next: (item) => ({ before: item.cursor }),
    })
  }

  /**
   * Send a message.
   * Admits one message and its run. Execution is serialised per conversation: a later message waits as `queued` while an earlier run executes.
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, GENERATION_CONFLICT, BUSY, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, QUEUE_FULL, PENDING_LIMIT, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  send(conversationId: string, body: SendMessage, options?: MutationOptions): Mutation<Admission, ReplayHandle<'sendMessage'>> {
    return this.#calls.call(OPERATIONS.sendMessage, options, { path: { conversation_id: conversationId }, body })
  }
}

/** One message's task, from admission to result. */
export class Runs {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Read a run.
   * The run in its current state.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(runId: string, options?: CallOptions): Call<Run> {
    return this.#calls.call(OPERATIONS.getRun, options, { path: { run_id: runId } })
  }


  /**
   * Reads until the state is `succeeded`, `failed`, `cancelled`, `interrupted`, `expired`, and resolves with that record: an end
   * without success is a result, not an exception. Follows events if possible, and otherwise polls.
   * @throws {TimeoutError} not in that state after `options.timeoutMs`; waiting again later is safe.
   */
  wait(runId: string, options?: WaitOptions): Promise<Run> {
    return this.#calls.wait(options, {
      operationId: 'getRun',
      poll: (call) => this.get(runId, call),
      isDone: ({ state }) => ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state),
      wake: (record, options) => eventsFromNow(
        this.#calls.positionOf('streamRunEvents', runId),
        () => new Conversations(this.#calls).get(record.conversation_id, options),
        (after) => this.events(runId, { ...options, after }),
      ),
    })
  }

  /**
   * Observe one run's events.
   * The conversation's events filtered to one run. They keep their conversation-wide seq, so gaps are normal. Reset events appear only on the conversation stream.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, NOT_ACCEPTABLE, CURSOR_EXPIRED, STREAM_LIMIT, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  events(runId: string, options?: StreamOptions): EventStream {
    return this.#calls.stream(OPERATIONS.streamRunEvents, options, { path: { run_id: runId } }, {
      of: runId,
      end: {
        poll: (options) => this.get(runId, options),
        isDone: ({ state }) => ['succeeded', 'failed', 'cancelled', 'interrupted', 'expired'].includes(state),
        readSnapshot: (record, options) => new Conversations(this.#calls).get(record.conversation_id, options),
        readLog: (record, options) => new Conversations(this.#calls).events(record.conversation_id, options),
      },
    })
  }

  /**
   * Cancel a run.
   * A run that has not started is cancelled at once. The stop of a run that has started needs a confirmation by its device. A 202 or `cancelling` alone confirms nothing: poll the operation, then read the run. A run that is already finished keeps its state (D-20).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  cancel(runId: string, options?: MutationOptions): Mutation<Control, ReplayHandle<'cancelRun'>> {
    return this.#calls.call(OPERATIONS.cancelRun, options, { path: { run_id: runId }, body: {} })
  }

  /**
   * Create a run directly.
   * Admits one input without naming a conversation by ID. Without a `conversation_key` each new operation creates a conversation; with one, its conversation is found or created (D-22).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, GENERATION_CONFLICT, BUSY, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, QUEUE_FULL, PENDING_LIMIT, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(endpointId: string, body: CreateRun, options?: MutationOptions): Mutation<Admission, ReplayHandle<'createRun'>> {
    return this.#calls.call(OPERATIONS.createRun, options, { path: { endpoint_id: endpointId }, body })
  }
}

/** Published services, as an application sees them. */
export class Endpoints {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Read a published service.
   * What a published service accepts and answers with, at its current version (D-70).
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(endpointId: string, options?: CallOptions): Call<AgentEndpoint> {
    return this.#calls.call(OPERATIONS.getAgentEndpoint, options, { path: { endpoint_id: endpointId } })
  }
}

/** Cancel and reset complete later; their operations say when. */
export class Operations {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Read an operation.
   * Poll until the state is `succeeded` or `failed`.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(operationId: string, options?: CallOptions): Call<Operation> {
    return this.#calls.call(OPERATIONS.getOperation, options, { path: { operation_id: operationId } })
  }


  /**
   * Reads until the state is `succeeded`, `failed`, and resolves with that record: an end
   * without success is a result, not an exception. Follows events if possible, and otherwise polls.
   * @throws {TimeoutError} not in that state after `options.timeoutMs`; waiting again later is safe.
   */
  wait(operationId: string, options?: WaitOptions): Promise<Operation> {
    return this.#calls.wait(options, {
      operationId: 'getOperation',
      poll: (call) => this.get(operationId, call),
      isDone: ({ state }) => ['succeeded', 'failed'].includes(state),
      wake: (record, options) => eventsFromNow(
        this.#calls.positionOf('streamConversationEvents', record.ref.conversation_id),
        () => new Conversations(this.#calls).get(record.ref.conversation_id, options),
        (after) => new Conversations(this.#calls).events(record.ref.conversation_id, { ...options, after }),
      ),
    })
  }
}

/** Attachments, uploaded in two steps that are both safe to repeat. */
export class Resources {
  readonly #calls: Calls

  constructor(calls: Calls) {
    this.#calls = calls
  }

  /**
   * Declare an attachment.
   * First of two steps: declares the attachment, whose bytes are then sent with putResourceContent (D-32).
   * @throws {ApiError} INVALID_REQUEST, UNKNOWN_FIELD, UNAUTHENTICATED, PERMISSION_DENIED, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  create(body: CreateResource, options?: MutationOptions): Mutation<Resource, ReplayHandle<'createResource'>> {
    return this.#calls.call(OPERATIONS.createResource, options, { body })
  }

  /**
   * Read an attachment record.
   * The record, not the content.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  get(resourceId: string, options?: CallOptions): Call<Resource> {
    return this.#calls.call(OPERATIONS.getResource, options, { path: { resource_id: resourceId } })
  }

  /**
   * Delete an attachment.
   * Deletes record and content. Refused while an unfinished run uses it.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, BUSY, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  delete(resourceId: string, options?: CallOptions): Mutation<void, null> {
    return this.#calls.call(OPERATIONS.deleteResource, options, { path: { resource_id: resourceId } })
  }

  /**
   * Download the content.
   * The bytes as they were uploaded, under the declared media type. The answer is 404 while the attachment is pending.
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  getContent(resourceId: string, options?: CallOptions): Call<Blob> {
    return this.#calls.call(OPERATIONS.getResourceContent, options, { path: { resource_id: resourceId } })
  }

  /**
   * Upload the content.
   * Second step: the raw bytes; their Content-Type header is ignored. A length or hash that differs from the declared one is 400 and leaves the attachment `pending`; an identical repeat is 200; other bytes once it is `ready` are 409 (D-32).
   * @throws {ApiError} INVALID_REQUEST, UNAUTHENTICATED, PERMISSION_DENIED, NOT_FOUND, IDEMPOTENCY_CONFLICT, PAYLOAD_TOO_LARGE, RATE_LIMITED, INTERNAL, CAPABILITY_UNAVAILABLE
   */
  putContent(resourceId: string, content: Bytes, options?: CallOptions): Mutation<Resource, null> {
    return this.#calls.call(OPERATIONS.putResourceContent, options, { path: { resource_id: resourceId }, content })
  }
}

/** One object per tag. */
export interface Namespaces {
  /** Durable business conversations and their generations. */
  readonly conversations: Conversations
  /** Sending input and reading history. */
  readonly messages: Messages
  /** One message's task, from admission to result. */
  readonly runs: Runs
  /** Published services, as an application sees them. */
  readonly endpoints: Endpoints
  /** Cancel and reset complete later; their operations say when. */
  readonly operations: Operations
  /** Attachments, uploaded in two steps that are both safe to repeat. */
  readonly resources: Resources
}

export const createNamespaces = (calls: Calls): Namespaces => ({
  conversations: new Conversations(calls),
  messages: new Messages(calls),
  runs: new Runs(calls),
  endpoints: new Endpoints(calls),
  operations: new Operations(calls),
  resources: new Resources(calls),
})

/** The answer of each operation that can be repeated under its key: the result of a client's replay() and recover(). */
export interface ReplayedAnswers {
  createConversation: Conversation
  sendMessage: Admission
  resetConversation: Control
  cancelRun: Control
  createRun: Admission
  createResource: Resource
}
