import { refuse } from '../behaviour/refusal.ts'
import { LIMITS } from '../generated/limits.ts'
import { createRun, sendMessage } from './admission.ts'
import {
  cancelRunBody,
  createConversationBody,
  createResourceBody,
  createRunBody,
  resetConversationBody,
  sendMessageBody,
} from './bodies.ts'
import type { Call } from './call.ts'
import { cancelRun, getOperation, getRun, resetConversation } from './control.ts'
import { createConversation, getConversation, listConversations, listMessages } from './conversations.ts'
import type { Intention } from './idempotency.ts'
import { readIntention } from './idempotency.ts'
import type { Outcome, RawAnswer } from './outcome.ts'
import { createResource, deleteResource, getResource, getResourceContent, putResourceContent } from './resources.ts'
import type { Shape } from './shapes.ts'
import type { GatewayState } from './state.ts'
import { streamConversationEvents, streamRunEvents } from './streams.ts'
import type { AnswerBody, BearerOperationId } from './tested-operation.ts'

type Result<Body> = Outcome<Body> | RawAnswer
type Route<Body> = (state: GatewayState, call: Call) => Result<Body> | Promise<Result<Body>>

/** A route whose request is an intention under an idempotency key. */
const keyed =
  <Body, Request>(
    shape: Shape<Request>,
    execute: (state: GatewayState, intention: Intention<Request>) => Result<Body>,
  ): Route<Body> =>
  (state, call) => {
    if (call.body.length > LIMITS.jsonBodyBytes)
      return refuse('PAYLOAD_TOO_LARGE', `The body may have at most ${LIMITS.jsonBodyBytes} bytes.`)
    const intention = readIntention(call, shape)
    return 'kind' in intention ? intention : execute(state, intention)
  }

/** One route for each operation of the contract that takes an API key, with the answer that the contract types. */
export const ROUTES: { readonly [Id in BearerOperationId]: Route<AnswerBody<Id>> } = {
  createConversation: keyed(createConversationBody, createConversation),
  listConversations,
  getConversation,
  sendMessage: keyed(sendMessageBody, sendMessage),
  listMessages,
  streamConversationEvents,
  resetConversation: keyed(resetConversationBody, resetConversation),
  getRun,
  streamRunEvents,
  cancelRun: keyed(cancelRunBody, cancelRun),
  getOperation,
  createRun: keyed(createRunBody, createRun),
  createResource: keyed(createResourceBody, createResource),
  getResource,
  deleteResource,
  getResourceContent,
  putResourceContent,
}
