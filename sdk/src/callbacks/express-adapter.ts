import { type NodeRequest, type NodeResponse, receiveFromNode, sendReply } from './node-adapter.ts'
import type { CallbackReceiver } from './receiver.ts'

/** What is used of Express's `Request`. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown
  /** The raw bytes, where a platform keeps them beside the parsed body: NestJS, Cloud Functions. */
  readonly rawBody?: unknown
}

/**
 * The receiver as an Express handler. Put its route before `express.json()`: it reads the raw body itself. The bytes
 * that `express.raw({ type: 'application/json' })` or a `rawBody` leaves will do too; after any other body parser it
 * answers 500 and gives `onError` a `SignatureError` with reason `parsed_body`.
 *
 * @example
 * app.post('/callbacks', toExpressHandler(receiver))
 * app.use(express.json())
 */
export const toExpressHandler =
  (receiver: CallbackReceiver): ((request: ExpressRequest, response: NodeResponse) => Promise<void>) =>
  async (request, response) => {
    const { method = '', headers } = request
    const bytes = [request.rawBody, request.body].find((each) => each instanceof Uint8Array)
    const reply = bytes
      ? await receiver.receive({ method, headers, readBody: async () => bytes })
      : await receiveFromNode(receiver, request)
    sendReply(response, reply)
  }
