import { captureCaller, withCaller } from '../caller-stack.ts'
import { type ApiError, type NotSentError, UnknownOutcomeError } from '../errors.ts'
import type { ReplayHandle } from '../replay-handle.ts'
import { isRefusal } from '../transport/retry.ts'

/** A successful answer with its metadata. */
export interface Answer<T> {
  readonly data: T
  /** The raw answer. JSON can be read again with `json()` or `text()`, bytes with `blob()` or `arrayBuffer()`. */
  readonly response: Response
  /** The gateway's request ID (D-10). */
  readonly requestId: string | null
  /** How often the request was sent, from 1. */
  readonly attempts: number
  /** Whether the gateway answered from its record of an earlier attempt (D-12). */
  readonly replayed: boolean
}

export const answerFrom = <T>(data: T, response: Response, attempts: number): Answer<T> => ({
  data,
  response,
  requestId: response.headers.get('x-request-id'),
  attempts,
  replayed: response.headers.get('idempotency-replayed') === 'true',
})

/** A promise of the data of an answer. */
export abstract class AnswerPromise<T> implements Promise<T> {
  abstract readonly [Symbol.toStringTag]: string

  abstract withResponse(): Promise<Answer<T>>

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}

/** A call in progress: a promise of its data. */
export interface Call<T> extends Promise<T> {
  /** The same answer with the raw response, the request ID and the number of attempts beside the data. */
  withResponse(): Promise<Answer<T>>
}

/** How a write ended. `Handle` is null for operations without an idempotency key. */
export type Outcome<T, Handle extends ReplayHandle | null> =
  | ({ readonly kind: 'admitted' } & Answer<T>)
  /** Nothing happened: the gateway refused, or nothing was sent. */
  | { readonly kind: 'refused'; readonly error: ApiError | NotSentError }
  /** It may have happened: settle it with `client.replay(handle)`. */
  | { readonly kind: 'unknown'; readonly handle: Handle; readonly error: UnknownOutcomeError<Handle> }

/** A write in progress. If it fails, it rejects with an `ApiError`, a `NotSentError` or an `UnknownOutcomeError`. */
export interface Mutation<T, Handle extends ReplayHandle | null> extends Call<T> {
  /** The three outcomes as values. Rejects only for faults of the program, such as a body that is not JSON. */
  outcome(): Promise<Outcome<T, Handle>>
}

/**
 * The promise behind calls and writes. Reading its outcome marks the answer as taken; `peek` and `peekOutcome` do not.
 */
export class PendingCall<T, Handle extends ReplayHandle | null>
  extends AnswerPromise<T>
  implements Mutation<T, Handle>
{
  readonly [Symbol.toStringTag] = 'Call'
  readonly #answer: Promise<Answer<T>>
  readonly #receipt: Receipt

  constructor(answer: Promise<Answer<T>>, receipt: Receipt) {
    super()
    this.#answer = withCaller(answer, captureCaller(PendingCall))
    this.#receipt = receipt
  }

  withResponse(): Promise<Answer<T>> {
    const take = (): void => void this.take()
    this.#answer.then(take, take)
    return this.#answer
  }

  outcome(): Promise<Outcome<T, Handle>> {
    return toOutcome(this.withResponse())
  }

  /** The answer, for the library itself; does not mark it as taken. */
  peek(): Promise<Answer<T>> {
    return this.#answer
  }

  peekOutcome(): Promise<Outcome<T, Handle>> {
    return toOutcome(this.#answer)
  }

  /** Marks the answer as taken. Resolves after the clean-up of its outbox entry. */
  async take(): Promise<void> {
    await this.#receipt.take()
  }
}

const toOutcome = <T, Handle extends ReplayHandle | null>(answer: Promise<Answer<T>>): Promise<Outcome<T, Handle>> =>
  answer.then(
    (admitted) => ({ kind: 'admitted', ...admitted }),
    (error: unknown) => {
      if (error instanceof UnknownOutcomeError) return { kind: 'unknown', handle: error.handle, error }
      if (isRefusal(error)) return { kind: 'refused', error }
      throw error
    },
  )

/** Runs the clean-up after the program has taken the answer of a call. */
export class Receipt {
  #forget: (() => Promise<void>) | undefined

  /** The answer has arrived; `forget` runs after it has been taken. */
  settle(forget: () => Promise<void>): void {
    this.#forget = forget
  }

  /**
   * The program takes the answer. Code that awaits the answer runs before the clean-up, so a process that dies earlier
   * keeps the entry. Resolves after the clean-up.
   */
  async take(): Promise<void> {
    const forget = this.#forget
    this.#forget = undefined
    if (forget === undefined) return
    await new Promise<void>((resolve) => setTimeout(resolve))
    await forget()
  }
}
