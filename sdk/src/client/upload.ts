import type { CreateResource } from '../generated/gateway.ts'
import { LIMITS } from '../generated/limits.ts'
import { quietly } from '../quietly.ts'

/** Bytes in memory, including any kind of `Buffer`. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView

/**
 * The content as a `Blob`, which every attempt can send again. Throws a `TypeError` for values that would be sent as
 * their string form.
 */
export function toBlob(content: Bytes): Blob {
  if (content instanceof Blob) return content
  if (content instanceof ArrayBuffer || ArrayBuffer.isView(content)) return new Blob([content as ArrayBuffer])
  throw new TypeError('content must be a Blob, an ArrayBuffer or a view of one; resources.upload() also takes streams.')
}

/**
 * What can be uploaded: bytes, a `Blob` or `File`, a stream of bytes of Node or the web, or the path of a file (Node,
 * Bun, Deno).
 */
export type Upload = Bytes | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | string

export interface UploadAbout {
  /** Default: the file's own. */
  readonly filename?: string | undefined
  /** Media type. Default: the blob's own, or `application/octet-stream`. */
  readonly content_type?: string | undefined
  /** SHA-256 of the content, lower-case hexadecimal; with it, the gateway refuses damaged bytes. */
  readonly sha256?: string | undefined
}

const MAX_BYTES = LIMITS.attachmentBytes

/**
 * Reads the content. Rejects with a `TypeError` if it is empty, too large, not a file, or has no name.
 */
export async function readUpload(
  upload: Upload,
  { filename, content_type, sha256 }: UploadAbout,
): Promise<{ readonly content: Blob; readonly about: CreateResource }> {
  const content = await toContent(upload)
  if (content.size === 0 || content.size > MAX_BYTES)
    throw new TypeError(`An attachment has 1 to ${MAX_BYTES} bytes, not ${content.size}.`)
  const name = filename ?? nameOf(upload)
  if (!name) throw new TypeError('filename is missing, and the content has no name.')
  return {
    content,
    about: {
      filename: name,
      content_type: content_type ?? (content.type || 'application/octet-stream'),
      size: content.size,
      ...(sha256 !== undefined && { sha256 }),
    },
  }
}

async function toContent(upload: Upload): Promise<Blob> {
  if (typeof upload === 'string') return readFile(upload)
  return Symbol.asyncIterator in Object(upload) ? collect(upload as AsyncIterable<Uint8Array>) : toBlob(upload as Bytes)
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const iterator = stream[Symbol.asyncIterator]()
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const chunk = next.value
      if (!(chunk instanceof Uint8Array)) throw new TypeError('The stream must give bytes, not text or objects.')
      length += chunk.length
      if (length > MAX_BYTES) throw new TypeError(`An attachment has at most ${MAX_BYTES} bytes; the stream has more.`)
      chunks.push(chunk as Uint8Array<ArrayBuffer>)
    }
    return new Blob(chunks)
  } catch (error) {
    // `for await` would wait for the stream's cancel, which never settles for some cloned streams.
    void quietly(() => iterator.return?.())
    throw error
  }
}

interface FileSystem {
  openAsBlob(path: string): Promise<Blob>
}

/** Obtained from the host at run time, so that bundles for browsers do not contain it. */
async function readFile(path: string): Promise<Blob> {
  const host = (globalThis as { process?: { getBuiltinModule?: (name: string) => FileSystem | undefined } }).process
  const files = host?.getBuiltinModule?.('node:fs')
  if (!files?.openAsBlob) throw new TypeError('This runtime cannot read files: pass the bytes. For text, pass a Blob.')
  try {
    return await files.openAsBlob(path)
  } catch (cause) {
    throw new TypeError(`${path} is not a readable file. For text, pass a Blob.`, { cause })
  }
}

/** The last part of a path, or the name of a `File`. */
const nameOf = (upload: Upload): string | undefined => {
  if (typeof upload === 'string') return upload.split(/[/\\]/).at(-1)
  return 'name' in upload && typeof upload.name === 'string' ? upload.name : undefined
}
