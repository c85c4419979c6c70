import type { CreateRun, MessageInput, SendMessage } from '@conversation-gateway/openapi/generated/gateway-closed'
import type { JsonText } from './json/json-text.ts'

/** The input of a message, as the gateway accepts it: its data is the text that was sent. */
export interface TakenInput extends Omit<MessageInput, 'data'> {
  readonly data?: JsonText
}

/** A body with an input in its accepted form; any other body unchanged. */
export type Taken<Body> = Body extends { input: MessageInput }
  ? Omit<Body, 'input'> & { readonly input: TakenInput }
  : Body

export type TakenMessage = Taken<SendMessage>
export type TakenRun = Taken<CreateRun>
