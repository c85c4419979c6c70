/** All bytes of a body; null as soon as there are more than allowed. */
export const collectBytes = async (body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | null> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The whole content as one chunk. */
export async function* asChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
