import { createHash } from 'node:crypto'
import type { ReceivedContent } from '@conversation-gateway/openapi/behaviour/requests/attachment-content'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { Queryable } from '../store/db.ts'
import type { UploadRef } from '../store/uploads.ts'
import { appendChunk, readChunk } from '../store/uploads.ts'

/** Bytes of a chunk, which is also the memory of one upload or download. */
export const CHUNK_BYTES = 256 * 1024

/** Writes content in chunks as it arrives, at most `maxBytes` of it; the rest is only counted. */
export const storeContent = async (
  db: Queryable,
  upload: UploadRef,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<ReceivedContent> => {
  let ordinal = 0
  let held: Uint8Array[] = []
  let heldBytes = 0
  const flush = async (): Promise<void> => {
    if (heldBytes === 0) return
    const chunk = Buffer.concat(held)
    held = []
    heldBytes = 0
    await appendChunk(db, upload, ordinal, chunk)
    ordinal += 1
  }
  let stored = 0
  const received = await digestContent(content, async (piece) => {
    stored += piece.byteLength
    if (stored > maxBytes) return
    for (let start = 0; start < piece.byteLength; ) {
      const part = piece.subarray(start, start + CHUNK_BYTES - heldBytes)
      held.push(part)
      heldBytes += part.byteLength
      start += part.byteLength
      if (heldBytes === CHUNK_BYTES) await flush()
    }
  })
  await flush()
  return received
}

/** Size and hash of content as it arrives. Beyond the limit of an attachment, nothing more is read. */
export const digestContent = async (
  content: AsyncIterable<Uint8Array>,
  take: (piece: Uint8Array) => Promise<void> = async () => {},
): Promise<ReceivedContent> => {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of content) {
    size += piece.byteLength
    if (size > LIMITS.attachmentBytes) break
    hash.update(piece)
    await take(piece)
  }
  return { size, sha256: hash.digest('hex') }
}

/** The stored content, a chunk at a time. @throws when it is deleted while it is read. */
export async function* readContent(db: Queryable, upload: UploadRef, size: number): AsyncGenerator<Uint8Array> {
  for (let [ordinal, left] = [0, size]; left > 0; ordinal += 1) {
    const chunk = await readChunk(db, upload, ordinal)
    if (chunk === null) throw new Error('the attachment was deleted while it was read')
    left -= chunk.byteLength
    yield chunk
  }
}
