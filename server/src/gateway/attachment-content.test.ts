import { createHash } from 'node:crypto'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { describe, expect, it } from 'vitest'
import type { Param, Queryable } from '../store/db.ts'
import { CHUNK_BYTES, digestContent, readContent, storeContent } from './attachment-content.ts'

const UPLOAD = { appId: 'app_1', uploadId: 'upload_1' }

/** A table of chunks. */
const createChunks = () => {
  const chunks: Uint8Array[] = []
  const db: Queryable = {
    query: async <R>({ name }: { name: string }, [, , ordinal, bytes]: readonly Param[]) => {
      if (name === 'append_chunk' && bytes instanceof Uint8Array) chunks[Number(ordinal)] = bytes
      const chunk = chunks[Number(ordinal)]
      return (chunk === undefined ? [] : [{ bytes: chunk }]) as R[]
    },
  }
  return { chunks, db }
}

async function* piecesOf(sizes: readonly number[]) {
  for (const [index, size] of sizes.entries()) yield Buffer.alloc(size, index + 1)
}
const whole = (sizes: readonly number[]) => Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1)))

describe('content', () => {
  it.each([
    [[1], [1]],
    [[0, 3, 0, 4], [7]],
    [[CHUNK_BYTES], [CHUNK_BYTES]],
    [
      [CHUNK_BYTES - 1, 2],
      [CHUNK_BYTES, 1],
    ],
    [[3 * CHUNK_BYTES + 5], [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, 5]],
    [Array.from({ length: 10 }, () => 65_536), [CHUNK_BYTES, CHUNK_BYTES, 2 * 65_536]],
  ])('that comes in pieces of %j is stored in chunks of %j, and read back as it was', async (sizes, chunkSizes) => {
    const { chunks, db } = createChunks()
    const bytes = whole(sizes)
    const received = await storeContent(db, UPLOAD, piecesOf(sizes), bytes.length)
    expect(received).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual(chunkSizes)
    const read: Uint8Array[] = []
    for await (const chunk of readContent(db, UPLOAD, bytes.length)) read.push(chunk)
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
  })

  it('is written as it arrives, with at most a chunk and a piece in memory', async () => {
    const { chunks, db } = createChunks()
    let sent = 0
    const content = async function* () {
      for (let piece = 0; piece < 64; piece += 1) {
        expect(sent - chunks.length * CHUNK_BYTES).toBeLessThan(CHUNK_BYTES)
        sent += 65_536
        yield Buffer.alloc(65_536)
      }
    }
    await storeContent(db, UPLOAD, content(), 64 * 65_536)
    expect(chunks).toHaveLength(16)
  })

  it('beyond the declared size is counted but not stored', async () => {
    const { chunks, db } = createChunks()
    expect((await storeContent(db, UPLOAD, piecesOf([100, 100, 100]), 150)).size).toBe(300)
    expect(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(150)
  })

  it('beyond the limit of an attachment is not read', async () => {
    let pieces = 0
    const endless = async function* () {
      for (;;) {
        pieces += 1
        yield new Uint8Array(1024 * 1024)
      }
    }
    expect((await digestContent(endless())).size).toBeGreaterThan(LIMITS.attachmentBytes)
    expect(pieces).toBe(17)
  })

  it('that is deleted during a read ends in an error, so that a part is not mistaken for the whole', async () => {
    const { chunks, db } = createChunks()
    await storeContent(db, UPLOAD, piecesOf([3 * CHUNK_BYTES]), 3 * CHUNK_BYTES)
    const read = readContent(db, UPLOAD, 3 * CHUNK_BYTES)
    await read.next()
    chunks.length = 0
    await expect(read.next()).rejects.toThrow('deleted while it was read')
  })
})
