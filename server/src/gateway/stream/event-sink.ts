/** The destination of one stream's bytes: a client connection. */
export interface EventSink {
  /** Written bytes that the network has not accepted yet. */
  readonly bufferedBytes: number
  /**
   * Sends bytes, which are shared with other sinks and never change. Returns false if the caller should wait for
   * `drained` before it sends more. Without effect once the sink is closed.
   */
  write(bytes: Uint8Array): boolean
  /** Resolves when there is room for more, or when the sink is closed. */
  drained(): Promise<void>
  /** Calls back once the connection has closed for any reason. Never calls before it returns. */
  onClose(listener: () => void): void
  /** Closes the connection cleanly once the written bytes are sent. */
  end(): void
  /** Closes the connection at once and drops unsent data. */
  destroy(): void
}
