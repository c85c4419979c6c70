/** Bytes that are there as a whole: also a `Buffer`, whatever made it. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView

/** A blob can be sent again for every attempt. Throws a `TypeError` for what would be sent as its name. */
export function toBlob(content: Bytes): Blob {
  if (content instanceof Blob) return content
  if (content instanceof ArrayBuffer || ArrayBuffer.isView(content)) return new Blob([content as ArrayBuffer])
  throw new TypeError('content must be a Blob, an ArrayBuffer or a view of one; resources.upload() also takes streams.')
}
