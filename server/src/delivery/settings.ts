/** How a delivery worker works; all of it can be set. */
export interface DeliverySettings {
  /** Attempts under way at once. */
  readonly concurrency: number
  /** Of them for one configuration: a receiver that keeps its connections open takes no more than these. */
  readonly concurrencyPerCallback: number
  /** How often the worker looks for what has fallen due without a hint. */
  readonly pollMs: number
  /** How long an attempt is the worker's. More than the two timeouts together, and well below the 60 s of D-38. */
  readonly leaseMs: number
  /** Until there is a connection: look-up, TCP and TLS together (D-39). */
  readonly connectTimeoutMs: number
  /** From there to the end of the answer, or of that part of it that is read. */
  readonly responseTimeoutMs: number
  /** How long a worker that shuts down lets its attempts go on, and then how long it tries to record them. */
  readonly shutdownGraceMs: number
  readonly shutdownStopMs: number
}

/** The shutdown times add up to less than the 10 s of D-49. */
export const DEFAULT_DELIVERY_SETTINGS: DeliverySettings = {
  concurrency: 256,
  concurrencyPerCallback: 8,
  pollMs: 1000,
  leaseMs: 30_000,
  connectTimeoutMs: 10_000,
  responseTimeoutMs: 10_000,
  shutdownGraceMs: 4000,
  shutdownStopMs: 2000,
}
