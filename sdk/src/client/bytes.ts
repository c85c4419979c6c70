/** What can be sent as the content of an attachment. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

/** A blob can be sent again for every attempt. */
export const toBlob = (content: Bytes): Blob => (content instanceof Blob ? content : new Blob([content]))
