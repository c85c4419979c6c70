/** How a sequence of bytes ended: completely, or by an orderly or abrupt end of the connection. */
export type Ending = 'complete' | 'end' | 'reset'

/** The bytes of an answer as they arrive, and finally how they ended. */
export type Bytes = AsyncGenerator<Uint8Array, Ending, void>

/** A complete sequence of these bytes. */
export async function* bytesOf(...pieces: readonly Uint8Array[]): Bytes {
  for (const piece of pieces) if (piece.length > 0) yield piece
  return 'complete'
}

/** Replaces each piece by the result of `change`. The end stays unchanged. */
export async function* mapBytes(
  bytes: Bytes,
  change: (piece: Uint8Array) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Bytes {
  for (;;) {
    const step = await bytes.next()
    if (step.done) return step.value
    yield* change(step.value)
  }
}

/** Forwards `count` bytes, and then replaces the rest as `then` specifies. Shorter sequences pass unchanged. */
export async function* interruptAt(bytes: Bytes, count: number, then: () => Promise<Ending>): Bytes {
  for (let left = count; left > 0; ) {
    const step = await bytes.next()
    if (step.done) return step.value
    const piece = step.value.subarray(0, left)
    left -= piece.length
    yield piece
  }
  return await then()
}

/** Reads all bytes and discards them. */
export const drain = async (bytes: Bytes): Promise<Ending> => {
  for (;;) {
    const step = await bytes.next()
    if (step.done) return step.value
  }
}
