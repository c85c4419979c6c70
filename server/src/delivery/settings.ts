/** The settings of a delivery worker. */
export interface DeliverySettings {
  /** Maximum concurrent attempts. */
  readonly concurrency: number
  /** Maximum concurrent attempts for one configuration, which bounds what a slow receiver occupies. */
  readonly concurrencyPerCallback: number
  /** How often the worker polls for due deliveries without a hint. */
  readonly pollMs: number
  /** Lease of an attempt. More than the two timeouts together, and well below the 60 s of D-38. */
  readonly leaseMs: number
  /** Timeout for connecting: look-up, TCP and TLS together (D-39). */
  readonly connectTimeoutMs: number
  /** Timeout from the connection to the end of the answer, or of the part of it that is read. */
  readonly responseTimeoutMs: number
  /** How long a worker that shuts down lets its attempts continue, and then how long it tries to record them. */
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
