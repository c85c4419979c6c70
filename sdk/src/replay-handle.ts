import type { IdempotentOperationId } from './generated/operations.ts'

/**
 * A recorded intention: everything that a later attempt needs to send the same request. It contains no secret except
 * the body. Plain JSON, so it can be stored anywhere and replayed by another process.
 */
export interface ReplayHandle<Id extends IdempotentOperationId = IdempotentOperationId> {
  readonly version: 1
  readonly operationId: Id
  /** The gateway's origin; a handle is only replayed to the gateway that it was created for. */
  readonly origin: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly subject: string
  readonly idempotencyKey: string
  /** The exact JSON text of the body. */
  readonly body: string
  /** HTTP status of the admission. */
  readonly status: number
  /** When the intention was created, ISO 8601. */
  readonly createdAt: string
  /**
   * Until when the gateway remembers the key (D-12): a replay after this could do the work a second time and is
   * refused.
   */
  readonly replayBefore: string
  /** The program's own name for it (`tag` of the call). */
  readonly tag?: string
}

/** Idempotency keys and request IDs: 1-128 visible ASCII characters without spaces. */
export const TOKEN = /^[\x21-\x7e]{1,128}$/

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The format of each member. */
const FORM: Record<Exclude<keyof ReplayHandle, 'tag'>, RegExp> = {
  version: /^1$/,
  operationId: /^\w+$/,
  origin: /^https?:/,
  method: /^POST$/,
  path: /^\//,
  subject: /./,
  idempotencyKey: TOKEN,
  body: /^\{/,
  status: /^2\d\d$/,
  createdAt: TIME,
  replayBefore: TIME,
}

/** Validates a stored handle. Throws a `TypeError` that names the fault; a damaged handle must not be sent. */
export function checkReplayHandle(value: unknown): ReplayHandle {
  const handle = Object(value) as ReplayHandle
  const wrong = (Object.keys(FORM) as (keyof typeof FORM)[]).find(
    (name) => !FORM[name].test(String(handle[name] ?? '')),
  )
  if (wrong) throw new TypeError(`The replay handle is damaged, or of another version: ${wrong} is wrong.`)
  return handle
}
