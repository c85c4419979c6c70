/** Where the bytes of one stream go: a connection, seen from the gateway. */
export interface EventSink {
  /** Bytes that were written and that the network has not taken yet. */
  readonly bufferedBytes: number
  /**
   * Sends bytes, which are shared with other sinks and never change. False when the caller had better wait for
   * `drained` before it sends more. Without effect once the sink is closed.
   */
  write(bytes: Uint8Array): boolean
  /** Resolves when there is room for more, or when the sink is closed. */
  drained(): Promise<void>
  /** Calls back once, after the connection has closed for whatever reason; in a later turn if it is closed already. */
  onClose(listener: () => void): void
  /** Closes the connection cleanly, after what was written. */
  end(): void
  /** Closes the connection at once and forgets what it had not sent. */
  destroy(): void
}
